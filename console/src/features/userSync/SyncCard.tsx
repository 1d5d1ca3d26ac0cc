// What the synchronization does: source, schedule, last run with its result or brake, next run, and "Run now".
import { api } from '@acc/contract'
import { formatMoment } from '@acc/contract/labels/formats'
import { SyncKind } from '@acc/contract/labels/userImports'
import type { SyncState } from '@acc/contract/userSync'
import { IconPlayerPlay } from '@tabler/icons-react'
import { useApiAction } from '../../kit/api/query.ts'
import { showMessage } from '../../kit/dialogs/dialogs.tsx'
import { ReasonedButton } from '../../kit/form/ReasonedButton.tsx'
import { Facts } from '../../kit/layout/Page.tsx'
import { Empty } from '../../kit/layout/QueryState.tsx'
import { useTexts } from '../../kit/texts/texts.ts'
import { RunSummary } from '../userImports/exports.ts'
import { localTime } from './syncValues.ts'
import css from './UserSync.module.css'
import { useLastRun, useOpenRun, userSyncTexts } from './userSync.ts'

type Sync = NonNullable<SyncState['sync']>

function useScheduleText() {
  const t = useTexts(userSyncTexts)
  return ({ everyHours, hour }: Pick<Sync, 'everyHours' | 'hour'>) =>
    everyHours === 24 ? t('daily', { time: localTime(hour) }) : t(`every${everyHours}`)
}

type Props = { state: SyncState; isDirty: boolean }

export function SyncCard({ state, isDirty }: Props) {
  const t = useTexts(userSyncTexts)
  if (state.sync === null || state.sync.kind === SyncKind.NONE)
    return (
      <section className={css.card} aria-label={t('state')} data-empty>
        <Empty title={t('none')} hint={t('noneHint')} />
      </section>
    )
  return <ActiveCard state={state} sync={state.sync} isDirty={isDirty} />
}

function ActiveCard({ state, sync, isDirty }: Props & { sync: Sync }) {
  const t = useTexts(userSyncTexts)
  const schedule = useScheduleText()
  const openRun = useOpenRun()
  const last = useLastRun(sync.kind)
  const busy = () => void showMessage({ title: t('runningTitle'), body: t('runningBody') })
  const run = useApiAction(api.userSync.run, {
    handles: { REQUEST_STATE: busy },
    onDone: ({ idx }) => openRun(idx),
  })
  const { folder, nextDT, unchangedDT } = state
  const where = sync.directory ? `${sync.directory.serverAddress} · ${sync.directory.base}` : (folder ?? '-')
  return (
    <section className={css.card} aria-label={t('state')}>
      <div className={css.facts}>
        <Facts
          rows={[
            [t('source'), where],
            [t('schedule'), schedule(sync)],
            [t('last'), last ? <RunSummary key="last" run={last} onOpen={openRun} /> : t('noRun')],
            ...(unchangedDT ? [['', t('unchanged', { time: formatMoment(unchangedDT) })] as const] : []),
            [t('next'), nextDT === null ? t('onDemand') : formatMoment(nextDT)],
          ]}
        />
      </div>
      <ReasonedButton
        variant="default"
        leftSection={<IconPlayerPlay size={14} />}
        isBusy={run.isRunning}
        {...(isDirty && { whyDisabled: t('saveFirst') })}
        onClick={() => void run.run({})}
      >
        {t('runNow')}
      </ReasonedButton>
    </section>
  )
}
