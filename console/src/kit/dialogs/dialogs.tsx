// Dialogs that ask or tell, as promises: `if (await confirm({ title, body, action })) ...`. One stands at a time, others
// wait. The box itself is fetched after the first paint, since the sign-in page must stay light.
import { lazy, type ReactNode, Suspense, useSyncExternalStore } from 'react'

type Words = { title: string; body: ReactNode }
type Ask = Words & {
  /** What the primary button does: "Delete", "Continue". */
  action: string
  /** "Cancel" unless told. */
  cancel?: string
  isDanger?: boolean
}
export type Dialog = Words & {
  key: number
  /** Absent where there is nothing to decide. */
  ask?: Ask
  close: (answer: boolean) => void
}

let waiting: readonly Dialog[] = []
let lastKey = 0
const listeners = new Set<() => void>()

function change(next: readonly Dialog[]): void {
  waiting = next
  for (const tellListener of listeners) tellListener()
}

function open(words: Words, ask?: Ask): Promise<boolean> {
  return new Promise((resolve) => {
    const key = ++lastKey
    const close = (answer: boolean) => {
      change(waiting.filter((dialog) => dialog.key !== key))
      resolve(answer)
    }
    change([...waiting, { ...words, key, close, ...(ask ? { ask } : {}) }])
  })
}

/** Asks; Escape and the close button mean no. */
export const confirm = (ask: Ask): Promise<boolean> => open(ask, ask)

/** Tells; resolves when it is closed. */
export const tell = async (words: Words): Promise<void> => void (await open(words))

const fetchBox = () => import('./DialogBox.tsx').then((module) => ({ default: module.DialogBox }))
const DialogBox = lazy(fetchBox)

/** So that the box is there when the network is not. */
export const prefetchDialogs = (): void => void fetchBox().catch(() => undefined)

/** Where dialogs appear; stands once in the application. */
export function Dialogs() {
  const dialog = useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => waiting[0],
  )
  return <Suspense>{dialog && <DialogBox key={dialog.key} dialog={dialog} />}</Suspense>
}
