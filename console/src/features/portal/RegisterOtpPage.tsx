// Registers an authenticator: QR code, manual key, a code, and the confirmation that the key was stored (spec S1 §2,
// §8).
import type { OtpRegistration } from '@acc/contract/account'
import type { AppConfigs } from '@acc/contract/configs'
import { ApiError } from '@acc/contract/core/client'
import { Button } from '@mantine/core'
import { type FormEvent, useRef, useState } from 'react'
import { call } from '../../kit/api/call.ts'
import { markHandled } from '../../kit/api/errors.ts'
import { errorText } from '../../kit/api/errorText.ts'
import { showMessage } from '../../kit/dialogs/dialogs.tsx'
import { text, useTexts } from '../../kit/texts/texts.ts'
import { CopyText } from './CopyText.tsx'
import { Checkbox, FormMessage } from './Fields.tsx'
import { OtpField, OtpManualLink, otpFaultOf, otpFormatFault } from './OtpStep.tsx'
import { registrationOf } from './otpRequest.ts'
import css from './Portal.module.css'
import { PortalCard } from './PortalCard.tsx'
import { registerOtp } from './portal.calls.ts'
import { portalTexts, selfServiceTexts } from './portal.texts.ts'
import type { Credentials } from './SignInPage.tsx'

type Props = {
  configs: AppConfigs
  credentials: Credentials
  registration: OtpRegistration
  onDone: () => void
  /** Also where the registration cannot continue. */
  onBack: () => void
}
type Said = { field?: string; message?: string; notice?: string }

/** Text of an error after which only another sign-in helps. */
function endOf(error: ApiError): string | undefined {
  switch (error.error) {
    case 'OTP_EXPIRED':
      return text(selfServiceTexts, 'register.expired')
    case 'OTP_ALREADY_REGISTERED':
    case 'WRONG_CREDENTIALS':
    case 'PASSWORD_ATTEMPTS_EXCEEDED':
    case 'PASSWORD_CHANGE_REQUIRED':
    case 'ACCOUNT_EXPIRED':
    case 'LOGIN_TYPE_REFUSED':
      return errorText(error)
    default:
      return undefined
  }
}

function useRegisterOtpForm({ configs, credentials, registration: first, onDone, onBack }: Props) {
  const t = useTexts(selfServiceTexts)
  const [registration, setRegistration] = useState(first)
  const [otp, setOtp] = useState('')
  const [isStored, setStored] = useState(false)
  const [said, setSaid] = useState<Said>({})
  const [isBusy, setBusy] = useState(false)
  const field = useRef<HTMLInputElement>(null)

  const say = (next: Said) => {
    setSaid(next)
    setOtp('')
    field.current?.focus()
  }
  const judge = async (error: unknown) => {
    if (!(error instanceof ApiError)) throw error
    const renewed = registrationOf(error.data)
    const end = endOf(error)
    const fault = renewed ? { notice: t('register.renewed') } : otpFaultOf(error, configs)
    if (fault || end !== undefined) markHandled(error)
    if (fault) say(fault)
    if (renewed) {
      setRegistration(renewed)
      setStored(false)
    }
    if (end === undefined) return
    await showMessage({ title: text(portalTexts, 'notice'), body: end })
    onBack()
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const fault = otpFormatFault(otp)
    setSaid(fault === undefined ? {} : { field: fault })
    if (fault !== undefined) return field.current?.focus()
    if (isBusy || !isStored) return
    setBusy(true)
    try {
      await call(registerOtp, { ...credentials, otp })
      onDone()
    } catch (error) {
      await judge(error)
    } finally {
      setBusy(false)
    }
  }
  return { registration, otp, setOtp, isStored, setStored, said, isBusy, field, submit }
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
