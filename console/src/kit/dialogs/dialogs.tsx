// Confirmations and messages as promises: `if (await confirm({ title, body, action })) ...`. One is open at a time, the
// others wait. The box itself is fetched after the first paint, since the sign-in page must stay light. If it cannot be
// fetched, the browser's own box shows the dialog.
import { type ComponentType, type ReactNode, Suspense } from 'react'
import { fetchedPart, retryFailed } from '../browser/fetchedPart.ts'
import { createStore, useStore } from '../browser/store.ts'
import { PlainBox } from './PlainBox.tsx'

type Words = { title: string; body: ReactNode }
type Ask = Words & {
  /** Label of the primary button, such as "Delete" or "Continue". */
  action: string
  /** "Cancel" by default. */
  cancel?: string
  isDanger?: boolean
  /** Label of a second way on, such as "Save and continue"; it is then the one to recommend. */
  other?: string
}
export type Choice = 'action' | 'other' | 'none'
export type Dialog = Words & {
  key: number
  /** Absent for messages. */
  ask?: Ask
  close: (choice: Choice) => void
}
type Box = ComponentType<{ dialog: Dialog }>

const fetchBox = fetchedPart(async (): Promise<Box> => (await import('./DialogBox.tsx')).DialogBox)

/** Returns the box, or the browser's own while it cannot be fetched. */
async function findBox(): Promise<Box> {
  retryFailed()
  try {
    return await fetchBox()
  } catch {
    return PlainBox
  }
}

/** Fetches the box, so that it can be shown while the network is down. */
export const prefetchDialogs = (): void => void findBox()

const waiting = createStore<readonly (Dialog & { Box: Box })[]>([])
let lastKey = 0

async function open(words: Words, ask?: Ask): Promise<Choice> {
  const Box = await findBox()
  return new Promise((resolve) => {
    const key = ++lastKey
    const close = (choice: Choice) => {
      waiting.set(waiting.get().filter((dialog) => dialog.key !== key))
      resolve(choice)
    }
    waiting.set([...waiting.get(), { ...words, key, close, ask, Box }])
  })
}

/** Asks for a decision; Escape and the close button mean no. */
export const confirm = async (ask: Ask): Promise<boolean> => (await open(ask, ask)) === 'action'

/** Asks for one of two decisions; Escape and the close button mean none. */
export const choose = (ask: Ask & { other: string }): Promise<Choice> => open(ask, ask)

/** Shows a message; resolves when it is closed. */
export const showMessage = async (words: Words): Promise<void> => void (await open(words))

/** Draws the open dialog. Used once in the application. */
export function Dialogs() {
  const [dialog] = useStore(waiting)
  return <Suspense>{dialog && <dialog.Box key={dialog.key} dialog={dialog} />}</Suspense>
}
