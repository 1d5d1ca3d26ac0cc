// The box of a confirmation or a message. The primary action has the focus, unless it destroys something.
import { Button, Group, Text } from '@mantine/core'
import { useTexts } from '../texts/texts.ts'
import { DialogWindow } from './DialogWindow.tsx'
import { dialogTexts } from './dialogs.texts.ts'
import type { Dialog } from './dialogs.tsx'

/** Wider for more than a sentence or more than two buttons. */
function sizeOf({ body, ask }: Dialog): number {
  if (typeof body !== 'string') return 520
  return ask?.other === undefined ? 400 : 480
}

export function DialogBox({ dialog }: { dialog: Dialog }) {
  const { title, body, ask, close } = dialog
  const t = useTexts(dialogTexts)
  return (
    <DialogWindow onClose={() => close('none')} title={title} size={sizeOf(dialog)} zIndex={300}>
      {typeof body === 'string' ? (
        <Text size="sm" style={{ whiteSpace: 'pre-line', overflowWrap: 'anywhere' }}>
          {body}
        </Text>
      ) : (
        body
      )}
      <Group justify="flex-end" gap={8} mt={20}>
        {ask && (
          <Button variant="default" data-autofocus={ask.isDanger} onClick={() => close('none')}>
            {ask.cancel ?? t('cancel')}
          </Button>
        )}
        <Button
          color={ask?.isDanger ? 'red' : 'blue'}
          variant={ask?.other === undefined ? 'filled' : 'outline'}
          data-autofocus={!ask?.isDanger}
          onClick={() => close('action')}
        >
          {ask?.action ?? t('ok')}
        </Button>
        {ask?.other !== undefined && <Button onClick={() => close('other')}>{ask.other}</Button>}
      </Group>
    </DialogWindow>
  )
}
