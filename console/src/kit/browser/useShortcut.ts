// A shortcut, outside of text fields unless asked otherwise. Letters are matched by their place on the keyboard, so
// that Caps Lock and Korean layouts change nothing. While a dialog is open, only shortcuts of the dialog work.
import { useHotkeys } from '@mantine/hooks'
import type { RefObject } from 'react'

/** The modifier key of shortcuts on this computer. */
export const MODIFIER = navigator.platform.startsWith('Mac') ? '⌘' : 'Ctrl'

type Options = {
  /** An element of the dialog or screen that the shortcut is for. */
  within?: RefObject<Element | null>
  /** Whether it works in text fields as well. */
  inFields?: boolean
}

/** Types of inputs that take no text, so that letters are free for shortcuts while they have the focus. */
const WITHOUT_TEXT = new Set(['checkbox', 'radio', 'button', 'submit', 'reset', 'file', 'range', 'color', 'image'])

function isTextField(target: EventTarget | null): boolean {
  if (target instanceof HTMLInputElement) return !WITHOUT_TEXT.has(target.type)
  return target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement
}

/** `keys` as Mantine spells them: `/`, `A`, `mod+K`; null for none. */
export function useShortcut(keys: string | null, action: () => void, { within, inFields = false }: Options = {}): void {
  const press = (event: KeyboardEvent) => {
    if (!inFields && isTextField(event.target)) return
    const dialog = [...document.querySelectorAll('[aria-modal="true"]')].at(-1)
    if (dialog !== undefined && !dialog.contains(within?.current ?? null)) return
    event.preventDefault()
    action()
  }
  const usePhysicalKeys = /[a-z]$/i.test(keys ?? '')
  useHotkeys(keys === null ? [] : [[keys, press, { usePhysicalKeys, preventDefault: false }]], [])
}
