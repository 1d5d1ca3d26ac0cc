// Registers an authenticator: QR code, manual key, a code, and the confirmation that the key was stored (spec S1 §2).
import type { OtpRegistration } from '@acc/contract/account'
import type { AppConfigs } from '@acc/contract/configs'
import { Button } from '@mantine/core'
import { useTexts } from '../../kit/texts/texts.ts'
import { CopyText } from './CopyText.tsx'
import { Checkbox, FormMessage } from './Fields.tsx'
import { OtpField, OtpManualLink } from './OtpField.tsx'
import css from './Portal.module.css'
import { PortalCard } from './PortalCard.tsx'
import { selfServiceTexts } from './portal.texts.ts'
import { useRegisterOtpForm } from './useRegisterOtpForm.ts'
import type { Credentials } from './useSignInForm.ts'

type Props = {
  configs: AppConfigs
  credentials: Credentials
  registration: OtpRegistration
  onDone: () => void
  onBack: () => void
}

/** Groups of four, as authenticator apps show keys, in lines of four groups. */
const grouped = (key: string) => key.replace(/.{16}(?=.)/g, '$&\n').replace(/(\w{4})(?=\w)/g, '$1 ')

export function RegisterOtpPage(props: Props) {
  const t = useTexts(selfServiceTexts)
  const form = useRegisterOtpForm(props)
  const { otpSecret, qrCodeBase64 } = form.registration
  return (
    <PortalCard configs={props.configs} title={t('register.title')} hint={t('register.hint')}>
      <form className={css.form} onSubmit={(event) => void form.submit(event)} noValidate>
        <ol className={css.steps}>
          <li>
            <p>{t('register.scan')}</p>
            <img className={css.qr} src={`data:image/png;base64,${qrCodeBase64}`} alt={t('register.qr')} />
          </li>
          <li>
            <p>{t('register.orKey')}</p>
            <CopyText
              value={otpSecret}
              shown={grouped(otpSecret)}
              label={t('register.copy')}
              hint={t('register.key')}
              done={t('register.copied')}
            />
          </li>
          <li>
            <p>{t('register.code')}</p>
            <OtpField autoFocus ref={form.field} value={form.otp} onChange={form.setOtp} error={form.said.field} />
          </li>
        </ol>
        <Checkbox label={t('register.isStored')} isOn={form.isStored} onChange={form.setStored} />
        <p className="quiet">{t('register.storedHint')}</p>
        <FormMessage tone="warn">{form.said.notice}</FormMessage>
        <FormMessage tone="bad">{form.said.message}</FormMessage>
        <Button type="submit" size="md" fullWidth loading={form.isBusy} disabled={!form.isStored}>
          {t('register.submit')}
        </Button>
        <Button variant="subtle" color="gray" size="md" fullWidth onClick={props.onBack}>
          {t('back')}
        </Button>
      </form>
      <OtpManualLink />
    </PortalCard>
  )
}
