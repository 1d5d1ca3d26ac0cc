// The OTP policy: the default, and two lists of users exempt from it (spec S2 §2.7, §5).
import { api } from '@acc/contract'
import type { DataOf } from '@acc/contract/core/route'
import { Switch } from '@mantine/core'
import { useApiAction, useApiQuery } from '../../kit/api/query.ts'
import { confirm } from '../../kit/dialogs/dialogs.tsx'
import { showToast } from '../../kit/dialogs/toast.tsx'
import { QueryState } from '../../kit/layout/QueryState.tsx'
import { useTexts } from '../../kit/texts/texts.ts'
import css from './LoginPolicy.module.css'
import { loginPolicyTexts } from './loginPolicy.ts'
import { OtpExceptions } from './OtpExceptions.tsx'

function DefaultOtp({ defaultOtp, userCount }: DataOf<typeof api.loginPolicy.findDefaultOtp>) {
  const t = useTexts(loginPolicyTexts)
  const set = useApiAction(api.loginPolicy.setDefaultOtp, {
    onDone: (_, input) => showToast(t(input.defaultOtp === 1 ? 'otp.defaultOn' : 'otp.defaultOff')),
  })
  const change = async (next: 0 | 1) => {
    const words = next === 1 ? 'otp.defaultOnBody' : 'otp.defaultOffBody'
    const action = t(next === 1 ? 'otp.turnOn' : 'otp.turnOff')
    const ask = { title: t('otp.default'), body: t(words, { count: userCount }), action }
    if (await confirm(ask)) await set.run({ defaultOtp: next })
  }
  return (
    <Switch
      label={t('otp.default')}
      // The library's label contains the description.
      aria-label={t('otp.default')}
      description={t('otp.defaultHint')}
      checked={defaultOtp === 1}
      aria-busy={set.isRunning || undefined}
      onChange={(event) => void (set.isRunning || change(event.currentTarget.checked ? 1 : 0))}
    />
  )
}

export function OtpPolicyPane() {
  return (
    <QueryState of={useApiQuery(api.loginPolicy.findDefaultOtp, {})}>
      {(setting) => (
        <div className={css.otp}>
          <DefaultOtp {...setting} />
          <div className={css.pair} data-fills>
            <OtpExceptions useOtp={0} />
            <OtpExceptions useOtp={1} />
          </div>
        </div>
      )}
    </QueryState>
  )
}
