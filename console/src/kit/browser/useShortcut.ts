// A shortcut, outside of any field unless asked otherwise. Letters count by their place on the keyboard, so that Caps Lock and Korean
// layouts change nothing; while a dialog is open, only shortcuts of the dialog work.
import { useHotkeys } from '@mantine/hooks'
import type { RefObject } from 'react'

type Options = {
  /** An element of the dialog or screen that the shortcut is for. */
  within?: RefObject<Element | null>
  /** Whether it works in fields as well. */
  inFields?: boolean
}

/** `keys` as Mantine spells them: `/`, `A`, `mod+K`; null for none. */
export function useShortcut(keys: string | null, action: () => void, { within, inFields = false }: Options = {}): void {
  const press = (event: KeyboardEvent) => {
    const dialog = [...document.querySelectorAll('[aria-modal="true"]')].at(-1)
    if (dialog !== undefined && !dialog.contains(within?.current ?? null)) return
    event.preventDefault()
    action()
  }
  const usePhysicalKeys = /[a-z]$/i.test(keys ?? '')
  useHotkeys(
    keys === null ? [] : [[keys, press, { usePhysicalKeys, preventDefault: false }]],
    inFields ? [] : undefined,
  )
}
