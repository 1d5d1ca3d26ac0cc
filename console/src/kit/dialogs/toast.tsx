// The quiet notice after something was done. It is read out by the live region around it (app/shell/MainApp.tsx).
import { Anchor } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { text } from '../texts/texts.ts'
import { dialogTexts } from './dialogs.texts.ts'

const TONES = {
  done: { color: 'green', autoClose: 3000 },
  /** The result differs from what the person requested. */
  warning: { color: 'yellow', autoClose: 8000 },
} as const

/** Where the notice leads on. */
export type ToastLink = { label: string; open: () => void }

export function showToast(message: string, tone: keyof typeof TONES = 'done', link?: ToastLink): void {
  const closeButtonProps = { 'aria-label': text(dialogTexts, 'close') }
  const look = { ...TONES[tone], closeButtonProps, role: 'presentation', withBorder: true }
  if (link === undefined) {
    notifications.show({ ...look, message })
    return
  }
  const follow = () => {
    notifications.hide(id)
    link.open()
  }
  const id = notifications.show({
    ...look,
    autoClose: 10_000,
    message: (
      <>
        {message}{' '}
        <Anchor component="button" type="button" size="sm" onClick={follow}>
          {link.label}
        </Anchor>
      </>
    ),
  })
}
