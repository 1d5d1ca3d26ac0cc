// A password field: masked unless shown, with a hint while Caps Lock is on.
import { MAX_LENGTH } from '@acc/contract/core/limits'
import { TextInput } from '@mantine/core'
import { type KeyboardEvent, type Ref, useState } from 'react'
import { useTexts } from '../../kit/texts/texts.ts'
import { portalTexts } from './portal.texts.ts'
import { RevealButton } from './RevealButton.tsx'

type Props = {
  label: string
  value: string
  onChange: (value: string) => void
  hint?: string | undefined
  error?: string | undefined
  autoComplete: 'current-password' | 'new-password'
  autoFocus?: boolean
  ref?: Ref<HTMLInputElement>
}

export function PasswordField({ label, value, onChange, hint, error, autoComplete, autoFocus = false, ref }: Props) {
  const t = useTexts(portalTexts)
  const [hasCapsLock, setCapsLock] = useState(false)
  const [isShown, setShown] = useState(false)
  const look = (event: KeyboardEvent) => setCapsLock(event.getModifierState('CapsLock'))
  return (
    <TextInput
      ref={ref}
      type={isShown ? 'text' : 'password'}
      size="md"
      label={label}
      value={value}
      error={error}
      maxLength={MAX_LENGTH.password}
      autoComplete={autoComplete}
      autoCapitalize="none"
      spellCheck={false}
      autoFocus={autoFocus}
      description={hasCapsLock ? t('capsLock') : hint}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      rightSection={<RevealButton label={t('showPassword')} isShown={isShown} onChange={setShown} />}
      onChange={(event) => onChange(event.currentTarget.value)}
      onKeyDown={look}
      onKeyUp={look}
      onBlur={() => setCapsLock(false)}
    />
  )
}
