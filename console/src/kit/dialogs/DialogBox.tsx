// The box of a confirmation or a message.
import { DialogContent } from './DialogContent.tsx'
import { DialogWindow } from './DialogWindow.tsx'
import type { Dialog } from './dialogs.tsx'

/** Wider for more than a sentence or more than two buttons. */
function sizeOf({ body, ask }: Dialog): number {
  if (typeof body !== 'string') return 520
  return ask?.other === undefined ? 400 : 480
}

export function DialogBox({ dialog }: { dialog: Dialog }) {
  return (
    <DialogWindow onClose={() => dialog.close('none')} title={dialog.title} size={sizeOf(dialog)} zIndex={300}>
      <DialogContent dialog={dialog} />
    </DialogWindow>
  )
}
