// Above the list of users: the imports that wait for a person or that the server works on.
import { ImportState } from '@acc/contract/labels/userImports'
import { Button } from '@mantine/core'
import { guarded } from '../../kit/form/unsaved.ts'
import { useLabel } from '../../kit/texts/labels.ts'
import { useTexts } from '../../kit/texts/texts.ts'
import css from './UserImports.module.css'
import { useOpenRuns, userImportsTexts } from './userImports.ts'

/** Undefined: the list of several runs. */
type Props = { onOpen: (importIdx: number | undefined) => void }

export function OpenRunNotice({ onOpen }: Props) {
  const t = useTexts(userImportsTexts)
  const label = useLabel()
  const [run, ...others] = useOpenRuns()
  if (run === undefined) return null
  return (
    <div className={css.openRun} data-tone={run.brake ? 'bad' : undefined} role="status">
      <span>
        {others.length > 0
          ? t('waiting', { count: others.length + 1 })
          : run.brake
            ? `${t('title')}: ${t('brakeTitle', run.brake)}`
            : `${t('title')}: ${t('waitingRun', { name: run.fileName, state: label(ImportState.labels[run.state]) })}`}
      </span>
      <Button
        size="compact-xs"
        variant="default"
        aria-label={`${t('title')} ${t('open')}`}
        onClick={guarded(() => onOpen(others.length > 0 ? undefined : run.idx))}
      >
        {t('open')}
      </Button>
    </div>
  )
}
