// The quiet notice after something was done: it stands for three seconds at the top and is read out.
import { Notification } from '@mantine/core'
import { useSyncExternalStore } from 'react'
import { kitTexts } from '../texts/kit.texts.ts'
import { useTexts } from '../texts/texts.ts'
import css from './notice.module.css'

type Notice = { key: number; message: string }

const SHOWN = 3000
const AT_MOST = 4
let notices: readonly Notice[] = []
let lastKey = 0
const listeners = new Set<() => void>()

function change(next: readonly Notice[]): void {
  notices = next
  for (const tell of listeners) tell()
}

const dismiss = (key: number): void => change(notices.filter((one) => one.key !== key))

export function notice(message: string): void {
  const key = ++lastKey
  change([...notices, { key, message }].slice(-AT_MOST))
  setTimeout(() => dismiss(key), SHOWN)
}

/** Where the notices appear; stands once in the application. */
export function Notices() {
  const t = useTexts(kitTexts)
  const shown = useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => notices,
  )
  return (
    <div className={css.corner} role="status" aria-live="polite">
      {shown.map(({ key, message }) => (
        <Notification
          key={key}
          className={css.notice}
          color="green"
          withBorder
          role="presentation"
          closeButtonProps={{ 'aria-label': t('close') }}
          onClose={() => dismiss(key)}
        >
          {message}
        </Notification>
      ))}
    </div>
  )
}
