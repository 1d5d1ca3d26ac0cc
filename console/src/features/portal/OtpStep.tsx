// The OTP step of a portal page: asks for the code, sends the call again with it, and handles what concerns the code
// (spec S1 §2, §4, §5, §8). All other errors are the caller's.
import type { AppConfigs } from '@acc/contract/configs'
import { ApiError } from '@acc/contract/core/client'
import { Button, TextInput } from '@mantine/core'
import { type FormEvent, type ReactNode, type Ref, useRef, useState } from 'react'
import { markHandled } from '../../kit/api/errors.ts'
import { errorText } from '../../kit/api/errorText.ts'
import { text, useLanguage, useTexts } from '../../kit/texts/texts.ts'
import { FormMessage, RevealButton } from './Fields.tsx'
import { type OtpRequest, otpRequestOf } from './otpRequest.ts'
import css from './Portal.module.css'
import { PortalCard } from './PortalCard.tsx'
import { otpManualAddress } from './portal.calls.ts'
import { portalTexts, selfServiceTexts } from './portal.texts.ts'
import { throttleText } from './requestSignIn.ts'

/** Opens the OTP manual in a new tab, in the page's language (spec S1 §2). */
export function OtpManualLink() {
  const t = useTexts(selfServiceTexts)
  const language = useLanguage()
  return (
    <a className={css.manual} href={otpManualAddress(language)} target="_blank" rel="noreferrer">
      {t('manual')}
    </a>
  )
}

const DIGITS = 6

type FieldProps = {
  value: string
  onChange: (value: string) => void
  error: string | undefined
  autoFocus?: boolean
  ref?: Ref<HTMLInputElement>
}

/** The masked field of a six-digit code. Spaces and dashes of a pasted code are dropped. */
export function OtpField({ value, onChange, error, autoFocus = false, ref }: FieldProps) {
  const t = useTexts(selfServiceTexts)
  const [isShown, setShown] = useState(false)
  return (
    <TextInput
      ref={ref}
      type={isShown ? 'text' : 'password'}
      size="md"
      classNames={{ input: css.otp ?? '' }}
      label={t('step.otp')}
      value={value}
      error={error}
      inputMode="numeric"
      autoComplete="one-time-code"
      autoFocus={autoFocus}
      rightSection={<RevealButton label={t('step.show')} isShown={isShown} onChange={setShown} />}
      onChange={(event) => onChange(event.currentTarget.value.replace(/\D/g, '').slice(0, DIGITS))}
    />
  )
}

type OtpStepChoices = {
  configs: AppConfigs
  asked: OtpRequest
  /** Sends the call, without a code to be asked for another one. */
  send: (otp?: string) => Promise<void>
  /** Handles an error that is not about the code; returns the message to show in this step, if any. */
  onOther: (error: unknown) => string | undefined
}
/** `isOver`: the account is suspended, and no further code helps. */
type Said = { field?: string; message?: string; notice?: string; isOver?: boolean }

/** What an error says about the code; undefined for errors that are not about it. */
export function otpFaultOf(error: unknown, { maxLoginFails }: AppConfigs): Said | undefined {
  if (!(error instanceof ApiError)) return undefined
  switch (error.error) {
    case 'WRONG_OTP':
      return { field: text(selfServiceTexts, 'step.wrong', { max: maxLoginFails }) }
    case 'TOO_MANY_REQUESTS':
    case 'SERVER_BUSY':
      return { message: throttleText(error) }
    case 'OTP_ATTEMPTS_EXCEEDED':
      return { message: errorText(error), isOver: true }
    case 'OTP_FAILED':
      return { message: errorText(error) }
    case 'NO_EMAIL':
      return { message: text(portalTexts, 'noEmail') }
    default:
      return undefined
  }
}

/** What is said of an expired code, once the server has asked for another one. */
const EXPIRED = {
  OTP_REQUIRED: 'step.expiredApp',
  OTP_MAILED: 'step.expiredMailed',
  OTP_ALREADY_SENT: 'step.expiredSent',
} as const satisfies Record<OtpRequest, string>

const isExpired = (error: unknown) => error instanceof ApiError && error.error === 'OTP_EXPIRED'

/** What is wrong with a code before it is sent. */
export function otpFormatFault(otp: string): string | undefined {
  if (otp === '') return text(selfServiceTexts, 'step.enter')
  return otp.length < 6 ? text(selfServiceTexts, 'step.sixDigits') : undefined
}

function useOtpStep({ configs, asked: first, send, onOther }: OtpStepChoices) {
  const t = useTexts(selfServiceTexts)
  const [asked, setAsked] = useState(first)
  const [otp, setOtp] = useState('')
  const [said, setSaid] = useState<Said>({})
  const [isBusy, setBusy] = useState(false)
  const field = useRef<HTMLInputElement>(null)

  const say = (next: Said) => {
    setSaid(next)
    setOtp('')
    field.current?.focus()
  }
  /** 107: the same call without a code sends a new one or asks for it again, without a dialog (spec S1 §8). */
  const attempt = async (code: string | undefined, wasExpired = false): Promise<void> => {
    try {
      await send(code)
    } catch (error) {
      const request = otpRequestOf(error)
      const fault = request
        ? { notice: wasExpired ? t(EXPIRED[request]) : errorText(error) }
        : otpFaultOf(error, configs)
      if (request) setAsked(request)
      if (fault || isExpired(error)) markHandled(error)
      if (fault) return say(fault)
      if (isExpired(error)) return attempt(undefined, true)
      const message = onOther(error)
      if (message !== undefined) say({ message })
    }
  }
  const run = async (code?: string) => {
    if (isBusy) return
    setBusy(true)
    await attempt(code)
    setBusy(false)
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const fault = otpFormatFault(otp)
    if (fault === undefined) return run(otp)
    setSaid({ field: fault })
    field.current?.focus()
  }
  return { asked, otp, setOtp, said, isBusy, field, submit, resend: () => void run() }
}

type Props = OtpStepChoices & {
  /** Absent while it is being looked for. */
  id?: string
  title?: string
  /** Above the form. */
  notice?: ReactNode
  onBack: () => void
}

export function OtpStep({ id, title, notice, onBack, ...choices }: Props) {
  const t = useTexts(selfServiceTexts)
  const form = useOtpStep(choices)
  const isMailed = form.asked !== 'OTP_REQUIRED'
  const canResend = isMailed && form.said.isOver !== true
  const hint = isMailed ? t('step.byMail') : t('step.byApp')
  return (
    <PortalCard configs={choices.configs} title={title ?? t('step.title')} hint={hint}>
      <form className={css.form} onSubmit={(event) => void form.submit(event)} noValidate>
        {notice}
        {id !== undefined && <TextInput size="md" label={t('step.id')} value={id} readOnly autoComplete="username" />}
        <OtpField ref={form.field} value={form.otp} onChange={form.setOtp} error={form.said.field} autoFocus />
        <FormMessage tone="warn">{form.said.notice}</FormMessage>
        <FormMessage tone="bad">{form.said.message}</FormMessage>
        <Button type="submit" size="md" fullWidth loading={form.isBusy}>
          {t('step.submit')}
        </Button>
        {canResend && (
          <Button variant="default" size="md" fullWidth disabled={form.isBusy} onClick={form.resend}>
            {t('step.resend')}
          </Button>
        )}
        {canResend && <p className="quiet">{t('noMail')}</p>}
        <Button variant="subtle" color="gray" size="md" fullWidth onClick={onBack}>
          {t('step.back')}
        </Button>
      </form>
      <OtpManualLink />
    </PortalCard>
  )
}
