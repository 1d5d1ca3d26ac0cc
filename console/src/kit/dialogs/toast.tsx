// The quiet notice after something was done. It is read out by the live region around it (app/shell/MainApp.tsx).
import { Anchor } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { silentWrites } from '../browser/connection.ts'
import { text } from '../texts/texts.ts'
import { dialogTexts } from './dialogs.texts.ts'

const TONES = {
  done: { color: 'green', autoClose: 3000 },
  /** The result differs from what the person requested. */
  warning: { color: 'yellow', autoClose: 8000 },
} as const

/** Where the notice leads on. */
export type ToastLink = { label: string; open: () => void }

type OpenNotice = { id: string; shape: string; count: number; isLinked: boolean }
const openNotices = new Map<string, OpenNotice>()

/** A notice that repeats an open one but for its numbers replaces it and counts; a plain one replaces any plain one. */
export function showToast(message: string, tone: keyof typeof TONES = 'done', link?: ToastLink): void {
  const shape = message.replaceAll(/\d+/g, '#')
  const place = link === undefined && tone === 'done' ? 'plain' : shape
  const before = openNotices.get(place)
  const count = before?.shape === shape ? before.count + 1 : 1
  if (before) notifications.hide(before.id)
  const words = count === 1 ? message : text(dialogTexts, 'repeated', { message, count })
  const follow = () => {
    notifications.hide(id)
    link?.open()
  }
  const id = notifications.show({
    ...TONES[tone],
    // It is the only way there until it is closed.
    ...(link && { autoClose: false }),
    closeButtonProps: { 'aria-label': text(dialogTexts, 'close') },
    role: 'presentation',
    withBorder: true,
    onClose: () => openNotices.get(place)?.id === id && openNotices.delete(place),
    message: link ? (
      <>
        {words}{' '}
        <Anchor component="button" type="button" size="sm" onClick={follow}>
          {link.label}
        </Anchor>
      </>
    ) : (
      words
    ),
  })
  openNotices.set(place, { id, shape, count, isLinked: link !== undefined })
}

/** Closes notices that lead on, which would remain on every screen. */
export function closeLinkedNotices(): void {
  for (const { id, isLinked } of openNotices.values()) if (isLinked) notifications.hide(id)
}

/** Shows a notice while a write waits for the server, until the returned function is called. */
export const followSilentWrites = (): (() => void) =>
  silentWrites.subscribe(() => {
    const id = 'silentWrites'
    if (silentWrites.get() === 0) notifications.hide(id)
    else
      notifications.show({
        ...TONES.warning,
        id,
        autoClose: false,
        withCloseButton: false,
        role: 'presentation',
        withBorder: true,
        message: text(dialogTexts, 'silentWrite'),
      })
  })
