// Leads from an object to its rows in the history, of all time.
import { HISTORY_MENUS, type HistoryMenu, LOGS } from '@acc/contract/history/kinds'
import { Button } from '@mantine/core'
import { IconHistory } from '@tabler/icons-react'
import { useViewer } from '../../kit/api/viewer.ts'
import { guarded } from '../../kit/form/unsaved.ts'
import { useCanOpen, useOpenScreen } from '../../kit/layout/view.ts'
import { allTime } from '../../kit/table/dayRange.ts'
import { kitTexts } from '../../kit/texts/kit.texts.ts'
import { useLanguage, useTexts } from '../../kit/texts/texts.ts'
import { historyTexts } from './history.ts'
import { titleOf } from './logs.ts'

type Props = {
  menu: HistoryMenu
  /** Of policies, with the type of its owner. */
  object: { targetIdx: number; targetType?: number }
  name: string
}

export function HistoryButton({ menu, object, name }: Props) {
  const t = useTexts(historyTexts)
  const kit = useTexts(kitTexts)
  const language = useLanguage()
  const { can } = useViewer()
  const [canOpen, openScreen] = [useCanOpen(), useOpenScreen()]
  if (!canOpen('history') || !can(LOGS[HISTORY_MENUS[menu].log].access)) return null
  return (
    <Button
      variant="subtle"
      color="gray"
      size="compact-sm"
      leftSection={<IconHistory size={14} />}
      // A pane may lead to two kinds.
      aria-label={kit('named', { name: titleOf(menu, language), action: t('ofObject') })}
      onClick={guarded(() => openScreen('history', { menu, ...allTime(), filters: object, objectName: name }))}
    >
      {t('ofObject')}
    </Button>
  )
}
