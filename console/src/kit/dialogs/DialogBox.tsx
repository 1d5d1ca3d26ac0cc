// The box of a confirmation or a message. The primary action has the focus, unless it destroys something.
import { Button, Group, Text } from '@mantine/core'
import { useTexts } from '../texts/texts.ts'
import { DialogWindow } from './DialogWindow.tsx'
import { dialogTexts } from './dialogs.texts.ts'
import type { Dialog } from './dialogs.tsx'

export function DialogBox({ dialog: { title, body, ask, close } }: { dialog: Dialog }) {
  const t = useTexts(dialogTexts)
  return (
    <DialogWindow onClose={() => close(false)} title={title} size={400} zIndex={300}>
      {typeof body === 'string' ? (
        <Text size="sm" style={{ whiteSpace: 'pre-line', overflowWrap: 'anywhere' }}>
          {body}
        </Text>
      ) : (
        body
      )}
      <Group justify="flex-end" gap={8} mt={20}>
        {ask && (
          <Button variant="default" data-autofocus={ask.isDanger} onClick={() => close(false)}>
            {ask.cancel ?? t('cancel')}
          </Button>
        )}
        <Button color={ask?.isDanger ? 'red' : 'blue'} data-autofocus={!ask?.isDanger} onClick={() => close(true)}>
          {ask?.action ?? t('ok')}
        </Button>
      </Group>
    </DialogWindow>
  )
}
