// What a confirmation or a message says and asks. The primary action has the focus, unless it destroys something.
import { Button, Group, Text } from '@mantine/core'
import { useTexts } from '../texts/texts.ts'
import { dialogTexts } from './dialogs.texts.ts'
import type { Dialog } from './dialogs.tsx'

export function DialogContent({ dialog: { body, ask, close } }: { dialog: Dialog }) {
  const t = useTexts(dialogTexts)
  return (
    <>
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
    </>
  )
}
