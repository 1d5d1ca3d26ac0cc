// The masked field of a six-digit code (spec S1 §2). Spaces and dashes of a pasted code are dropped.
import { TextInput } from '@mantine/core'
import { type Ref, useState } from 'react'
import { useLanguage, useTexts } from '../../kit/texts/texts.ts'
import { RevealButton } from './Fields.tsx'
import css from './Portal.module.css'
import { otpManualAddress } from './portal.calls.ts'
import { selfServiceTexts } from './portal.texts.ts'

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

type Props = {
  value: string
  onChange: (value: string) => void
  error: string | undefined
  autoFocus?: boolean
  ref?: Ref<HTMLInputElement>
}

export function OtpField({ value, onChange, error, autoFocus = false, ref }: Props) {
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
