// The quiet notice after something was done. It is read out by the live region around it (app/shell/MainApp.tsx).
import { notifications } from '@mantine/notifications'
import { text } from '../texts/texts.ts'
import { dialogTexts } from './dialogs.texts.ts'

const TONES = {
  done: { color: 'green', autoClose: 3000 },
  /** The result differs from what the person requested. */
  warning: { color: 'yellow', autoClose: 8000 },
} as const

export function showToast(message: string, tone: keyof typeof TONES = 'done'): void {
  const closeButtonProps = { 'aria-label': text(dialogTexts, 'close') }
  notifications.show({ ...TONES[tone], message, closeButtonProps, role: 'presentation', withBorder: true })
}
