// The box of a dialog by the browser's own means, which are there while the server is away.
import { useId, useLayoutEffect, useRef } from 'react'
import { DialogContent } from './DialogContent.tsx'
import type { Dialog } from './dialogs.tsx'
import css from './PlainBox.module.css'
import { useEscape } from './useEscape.ts'

export function PlainBox({ dialog }: { dialog: Dialog }) {
  const box = useRef<HTMLDialogElement>(null)
  const title = useId()
  useEscape(() => dialog.close('none'))
  useLayoutEffect(() => {
    const { current } = box
    current?.showModal()
    current?.querySelector<HTMLElement>('[data-autofocus="true"]')?.focus()
    // Gives the focus back.
    return () => current?.close()
  }, [])
  return (
    <dialog ref={box} className={css.box} aria-labelledby={title} onCancel={(event) => event.preventDefault()}>
      <h2 id={title}>{dialog.title}</h2>
      <DialogContent dialog={dialog} />
    </dialog>
  )
}
