// The fields of the portal's forms, and the message above them.

import { MAX_LENGTH } from '@acc/contract/core/limits'
import { TextInput, UnstyledButton } from '@mantine/core'
import { IconEye, IconEyeOff } from '@tabler/icons-react'
import { type KeyboardEvent, type Ref, useState } from 'react'
import { useTexts } from '../../kit/texts/texts.ts'
import css from './Portal.module.css'
import { portalTexts } from './portal.texts.ts'

type Props = { label: string; isOn: boolean; onChange: (isOn: boolean) => void }

/** The browser's own checkbox, which is lighter than Mantine's. */
export function Checkbox({ label, isOn, onChange }: Props) {
  return (
    <label className={css.checkbox}>
      <input type="checkbox" checked={isOn} onChange={(event) => onChange(event.currentTarget.checked)} />
      {label}
    </label>
  )
}

type RevealButtonProps = { label: string; isShown: boolean; onChange: (isShown: boolean) => void }

/** The button in a masked field that shows the typed text. */
export function RevealButton({ label, isShown, onChange }: RevealButtonProps) {
  return (
    <UnstyledButton className={css.eye} aria-label={label} aria-pressed={isShown} onClick={() => onChange(!isShown)}>
      {isShown ? <IconEyeOff size={16} /> : <IconEye size={16} />}
    </UnstyledButton>
  )
}

type IdFieldProps = {
  value: string
  onChange: (value: string) => void
  error?: string | undefined
  autoFocus: boolean
  ref: Ref<HTMLInputElement>
}

/** The sign-in name, as the pages of the portal ask for it. */
export function IdField({ onChange, ...input }: IdFieldProps) {
  const t = useTexts(portalTexts)
  return (
    <TextInput
      {...input}
      size="md"
      label={t('id')}
      maxLength={MAX_LENGTH.loginId}
      autoComplete="username"
      autoCapitalize="none"
      spellCheck={false}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}

/** A failure or success message on a portal page, announced to screen readers. */
export function FormMessage({ tone, children }: { tone: 'bad' | 'ok' | 'warn'; children: string | undefined }) {
  return (
    <div role={tone === 'bad' ? 'alert' : 'status'}>
      {children !== undefined && (
        <p className="notice" data-tone={tone}>
          {children}
        </p>
      )}
    </div>
  )
}

type PasswordFieldProps = {
  label: string
  value: string
  onChange: (value: string) => void
  hint?: string | undefined
  error?: string | undefined
  autoComplete: 'current-password' | 'new-password'
  autoFocus?: boolean
  ref?: Ref<HTMLInputElement>
}

/** A password field: masked unless shown, with a hint while Caps Lock is on. */
export function PasswordField({
  label,
  value,
  onChange,
  hint,
  error,
  autoComplete,
  autoFocus = false,
  ref,
}: PasswordFieldProps) {
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
