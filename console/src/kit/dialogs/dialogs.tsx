// Dialogs that ask or tell, as promises: `if (await confirm({ title, body, action })) ...`. One stands at a time, others
// wait. The box itself is fetched after the first paint, since the sign-in page must stay light.
import { lazy, type ReactNode, Suspense } from 'react'
import { createStore, useStore } from '../browser/store.ts'

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

const waiting = createStore<readonly Dialog[]>([])
let lastKey = 0

function open(words: Words, ask?: Ask): Promise<boolean> {
  return new Promise((resolve) => {
    const key = ++lastKey
    const close = (answer: boolean) => {
      waiting.set(waiting.get().filter((dialog) => dialog.key !== key))
      resolve(answer)
    }
    waiting.set([...waiting.get(), { ...words, key, close, ask }])
  })
}

/** Asks; Escape and the close button mean no. */
export const confirm = (ask: Ask): Promise<boolean> => open(ask, ask)

/** Tells; resolves when it is closed. */
export const showMessage = async (words: Words): Promise<void> => void (await open(words))

const fetchBox = () => import('./DialogBox.tsx').then((module) => ({ default: module.DialogBox }))
const DialogBox = lazy(fetchBox)

/** So that the box is there when the network is not. */
export const prefetchDialogs = (): void => void fetchBox().catch(() => undefined)

/** Where dialogs appear; stands once in the application. */
export function Dialogs() {
  const [dialog] = useStore(waiting)
  return <Suspense>{dialog && <DialogBox key={dialog.key} dialog={dialog} />}</Suspense>
}
