// The line of filters above a list: one search box that `/` focuses, or several fields; selects with "all"; a period
// with presets. Typed text is applied after a short pause.
import { MAX_LENGTH } from '@acc/contract/core/limits'
import { CloseButton, Kbd, Select, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { type ReactNode, useRef, useState } from 'react'
import { useShortcut } from '../browser/useShortcut.ts'
import { ownsEscape } from '../dialogs/useEscape.ts'
import { kitTexts } from '../texts/kit.texts.ts'
import { useTexts } from '../texts/texts.ts'
import css from './FilterBar.module.css'

/** `aside` is on the right: counts, switches. */
export function FilterBar({ children, aside }: { children: ReactNode; aside?: ReactNode }) {
  return (
    <search className={css.bar}>
      {children}
      {aside !== undefined && <div className={css.aside}>{aside}</div>}
    </search>
  )
}

/** Pressing `/` outside any field focuses the field. */
function useSlash(isOn: boolean) {
  const ref = useRef<HTMLInputElement>(null)
  useShortcut(isOn ? '/' : null, () => ref.current?.focus(), { within: ref })
  return ref
}

/** Brings the focus from a search box to the first row or group that it found. */
const focusFirstItem = (from: Element): void =>
  from.closest('main, [role="dialog"]')?.querySelector<HTMLElement>('tbody tr[tabindex="0"], [role="tree"]')?.focus()

type TextProps = {
  label: string
  value: string
  onChange: (value: string) => void
  /** Characters: 30 unless the specification says otherwise (spec S1 §9). */
  max?: number
  width?: number
}

/** Shows typed text at once and reports it after 250 ms without a key. */
function useDebouncedText(value: string, onChange: (value: string) => void) {
  const [typed, setTyped] = useState(value)
  const [reported, setReported] = useState(value)
  const [seen, setSeen] = useState(value)
  // Only a value from elsewhere replaces the typed text: the reported one comes back some renders later.
  if (value !== seen) {
    setSeen(value)
    if (value !== reported) {
      setReported(value)
      setTyped(value)
    }
  }
  const report = useDebouncedCallback((next: string) => {
    setReported(next)
    onChange(next)
  }, 250)
  const type = (next: string) => {
    setTyped(next)
    report(next.trim())
  }
  return [typed, type] as const
}

type SearchProps = TextProps & {
  /** Whether `/` focuses it: one search box of a screen, the first where there are several. */
  takesSlash?: boolean
}

export function SearchBox({
  label,
  value,
  onChange,
  max = MAX_LENGTH.searchText,
  width = 280,
  takesSlash = true,
}: SearchProps) {
  const t = useTexts(kitTexts)
  const ref = useSlash(takesSlash)
  const [typed, type] = useDebouncedText(value, onChange)
  return (
    <TextInput
      ref={ref}
      data-autofocus
      w={width}
      type="search"
      aria-label={label}
      aria-keyshortcuts={takesSlash ? '/' : undefined}
      placeholder={label}
      maxLength={max}
      value={typed}
      {...(typed === '' ? {} : ownsEscape)}
      leftSection={<IconSearch size={14} />}
      rightSection={
        typed === '' ? (
          takesSlash && (
            <Kbd size="xs" aria-hidden>
              /
            </Kbd>
          )
        ) : (
          <CloseButton size="xs" aria-label={t('clear')} onClick={() => type('')} />
        )
      }
      onChange={(event) => type(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Escape') typed === '' ? focusFirstItem(event.currentTarget) : type('')
      }}
    />
  )
}

/** Pixels that a label needs as a placeholder: Korean letters are about twice as wide as Latin ones. */
const widthOf = (label: string): number =>
  [...label].reduce((sum, letter) => sum + (letter < '\u1100' ? 7.2 : 12.5), 28)

/** `width` is the least one: its placeholder is the field's only name, so it is never cut. */
export function TextFilter({ label, value, onChange, max = MAX_LENGTH.searchText, width = 116 }: TextProps) {
  const t = useTexts(kitTexts)
  const [typed, type] = useDebouncedText(value, onChange)
  return (
    <TextInput
      w={Math.max(width, widthOf(label))}
      aria-label={label}
      placeholder={label}
      maxLength={max}
      value={typed}
      rightSection={
        typed === '' ? null : (
          <CloseButton size="xs" tabIndex={-1} aria-label={`${label} ${t('clear')}`} onClick={() => type('')} />
        )
      }
      onChange={(event) => type(event.currentTarget.value)}
    />
  )
}

type SelectProps<V extends number | string> = {
  label: string
  value: V | undefined
  onChange: (value: V | undefined) => void
  options: readonly { value: V; label: string }[]
  width?: number
}

/** Filters by one value of an enumeration, or by none. */
export function SelectFilter<V extends number | string>({
  label,
  value,
  onChange,
  options,
  width = 140,
}: SelectProps<V>) {
  const t = useTexts(kitTexts)
  return (
    <Select<V | ''>
      w={width}
      aria-label={label}
      data={[{ value: '', label: `${label}: ${t('all')}` }, ...options]}
      value={value ?? ''}
      onChange={(next) => onChange(next === '' || next === null ? undefined : next)}
    />
  )
}
