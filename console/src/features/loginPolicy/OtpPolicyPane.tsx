// The OTP policy: the default, and two lists of users exempt from it (spec S2 §2.7, §5).
import { api } from '@acc/contract'
import { Switch } from '@mantine/core'
import { useApiAction } from '../../kit/api/query.ts'
import { showToast } from '../../kit/dialogs/toast.tsx'
import { QueryState } from '../../kit/layout/QueryState.tsx'
import { useTexts } from '../../kit/texts/texts.ts'
import css from './LoginPolicy.module.css'
import { useDefaultOtp } from './loginPolicy.queries.ts'
import { loginPolicyTexts } from './loginPolicy.texts.ts'
import { OtpExceptions } from './OtpExceptions.tsx'

function DefaultOtp({ defaultOtp }: { defaultOtp: 0 | 1 }) {
  const t = useTexts(loginPolicyTexts)
  const set = useApiAction(api.loginPolicy.setDefaultOtp, {
    onDone: (_, input) => showToast(t(input.defaultOtp === 1 ? 'otp.defaultOn' : 'otp.defaultOff')),
  })
  return (
    <Switch
      label={t('otp.default')}
      description={t('otp.defaultHint')}
      checked={defaultOtp === 1}
      disabled={set.isRunning}
      onChange={(event) => void set.run({ defaultOtp: event.currentTarget.checked ? 1 : 0 })}
    />
  )
}

export function OtpPolicyPane() {
  return (
    <QueryState of={useDefaultOtp()}>
      {({ defaultOtp }) => (
        <div className={css.otp}>
          <DefaultOtp defaultOtp={defaultOtp} />
          <div className={css.pair} data-fills>
            <OtpExceptions useOtp={0} />
            <OtpExceptions useOtp={1} />
          </div>
        </div>
      )}
    </QueryState>
  )
}
