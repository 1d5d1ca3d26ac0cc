// A password as it is typed: masked, at most 64 characters, with a hint while Caps Lock is on.
import { PasswordInput } from '@mantine/core'
import { type KeyboardEvent, type Ref, useState } from 'react'
import { useTexts } from '../../kit/texts.ts'
import { portalTexts } from './portal.texts.ts'

type Props = {
  label: string
  value: string
  onChange: (value: string) => void
  error?: string | undefined
  autoComplete: 'current-password' | 'new-password'
  autoFocus?: boolean
  ref?: Ref<HTMLInputElement>
}

export function PasswordField({ label, value, onChange, error, autoComplete, autoFocus = false, ref }: Props) {
  const t = useTexts(portalTexts)
  const [hasCapsLock, setCapsLock] = useState(false)
  const look = (event: KeyboardEvent) => setCapsLock(event.getModifierState('CapsLock'))
  return (
    <PasswordInput
      ref={ref}
      size="md"
      label={label}
      value={value}
      error={error}
      maxLength={64}
      autoComplete={autoComplete}
      autoFocus={autoFocus}
      description={hasCapsLock ? t('capsLock') : undefined}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      visibilityToggleButtonProps={{ 'aria-label': t('showPassword') }}
      onChange={(event) => onChange(event.currentTarget.value)}
      onKeyDown={look}
      onKeyUp={look}
      onBlur={() => setCapsLock(false)}
    />
  )
}
