// Shown when the server could not be reached at the start, with a button to retry.
import { Button, Text } from '@mantine/core'
import { errorText } from '../../kit/api/errorText.ts'
import { dialogTexts } from '../../kit/dialogs/dialogs.texts.ts'
import { useTexts } from '../../kit/texts/texts.ts'
import css from './App.module.css'
import { startTexts } from './start.texts.ts'

export function StartFailed({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const t = useTexts(startTexts)
  const kit = useTexts(dialogTexts)
  return (
    <main className={css.whole} role="alert">
      <Text component="h1" fw={650} size="lg">
        {t('failed')}
      </Text>
      <Text size="sm" c="dimmed" ta="center" maw={420}>
        {errorText(error)}
      </Text>
      <Button mt={12} onClick={onRetry}>
        {kit('retry')}
      </Button>
    </main>
  )
}
