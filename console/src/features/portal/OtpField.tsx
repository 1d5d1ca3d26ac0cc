// The masked field of a six-digit code (spec S1 §2). Spaces and dashes of a pasted code are dropped.
import { TextInput } from '@mantine/core'
import { type Ref, useState } from 'react'
import { useTexts } from '../../kit/texts/texts.ts'
import css from './Portal.module.css'
import { RevealButton } from './RevealButton.tsx'
import { selfServiceTexts } from './selfService.texts.ts'

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
