// One run: its state and numbers, what can be done with it, and its rows.
import { formatMoment } from '@acc/contract/labels/formats'
import { ImportRefusal, ImportSource, ImportState } from '@acc/contract/labels/userImports'
import type { UserImport } from '@acc/contract/userImports'
import { Button, Progress } from '@mantine/core'
import { Page, PageBody, PartHeader } from '../../kit/layout/Page.tsx'
import { QueryState } from '../../kit/layout/QueryState.tsx'
import { useView } from '../../kit/layout/view.ts'
import { StateDot } from '../../kit/table/StatusDot.tsx'
import { useLabel } from '../../kit/texts/labels.ts'
import { formatNumber, useTexts } from '../../kit/texts/texts.ts'
import { FileFormat } from './FileFormat.tsx'
import { RunActions } from './RunActions.tsx'
import { RunRows } from './RunRows.tsx'
import { RefusalText } from './RunSummary.tsx'
import css from './UserImports.module.css'
import { CHANGES, changesOf, ImportsView, isApplied, isRunning, useRun, userImportsTexts } from './userImports.ts'

function RunProgress({ run }: { run: UserImport }) {
  const t = useTexts(userImportsTexts)
  const { doneRows: done, totalRows: total } = run
  const percent = total ? Math.min(100, (done / total) * 100) : 0
  const text = total === null ? t('progressRead', { done }) : t('progressOf', { done, total })
  const planning = run.source === ImportSource.FILE ? 'planning' : 'planningSource'
  return (
    <div className={css.progress}>
      <div className={css.progressText}>
        <strong>{t(run.state === ImportState.PLANNING ? planning : 'applying')}</strong>
        <span role="status">{text}</span>
      </div>
      {/* Without a total, the bar only says that the server works. */}
      <Progress value={total === null ? 100 : percent} animated={total === null} aria-label={t('progress')} />
      <span className="quiet">{t('survives')}</span>
    </div>
  )
}

/** Refusals that the format of files explains. */
const OF_HEADERS: readonly ImportRefusal[] = [
  ImportRefusal.UNKNOWN_COLUMN,
  ImportRefusal.MISSING_COLUMN,
  ImportRefusal.REPEATED_COLUMN,
  ImportRefusal.BROKEN,
]

function Refused({ run }: { run: UserImport }) {
  const t = useTexts(userImportsTexts)
  const [, setView] = useView(ImportsView)
  if (run.refusal === null) return null
  const { reason } = run.refusal
  const isFile = run.source === ImportSource.FILE
  return (
    <div className={css.refusal}>
      <div className={css.refused} role="alert">
        <h2>{t(isFile ? 'refused' : 'refusedSource')}</h2>
        <RefusalText refusal={run.refusal} />
        <p className="quiet">{t('refusedNothing')}</p>
        {isFile && (
          <Button variant="default" onClick={() => setView({ part: 'imports', importIdx: undefined })}>
            {t('anotherFile')}
          </Button>
        )}
      </div>
      {OF_HEADERS.includes(reason) && <FileFormat />}
    </div>
  )
}

function endText({ state, counts }: UserImport) {
  const left = counts.error + counts.skipped + counts.failed
  if (state === ImportState.CANCELED) return counts.applied > 0 ? 'canceledRest' : 'canceled'
  if (counts.applied === 0) return 'doneNothing'
  return left > 0 ? 'doneSome' : 'doneClean'
}

/** What the person has to know or decide about the plan. */
function Notice({ run }: { run: UserImport }) {
  const t = useTexts(userImportsTexts)
  const { state, brake } = run
  if (isRunning(run)) return <RunProgress run={run} />
  if (state === ImportState.PLANNED && brake)
    return (
      <div className={css.brake} role="alert">
        <strong>{t('brakeTitle', brake)}</strong>
        <span>{t('brakeBody')}</span>
      </div>
    )
  if (state === ImportState.PAUSED) return <div className={css.notice}>{t('paused')}</div>
  if (state === ImportState.DONE || state === ImportState.CANCELED) {
    const text = endText(run)
    return (
      <div className={css.notice} data-tone={text === 'doneClean' ? 'ok' : text === 'doneSome' ? 'warn' : undefined}>
        <strong>{t(text)}</strong>
        {state === ImportState.DONE && <span>{t('doneHint')}</span>}
      </div>
    )
  }
  return state === ImportState.PLANNED && run.isEditable === 0 && <div className={css.notice}>{t('readOnly')}</div>
}

function Numbers({ run: { counts, ...run } }: { run: UserImport }) {
  const t = useTexts(userImportsTexts)
  const names = [...CHANGES, 'error', 'unchanged'] as const
  const items = (shown: readonly (keyof UserImport['counts'])[]) =>
    shown.map((name) => (
      <div key={name} data-name={name} data-zero={counts[name] === 0 || undefined}>
        <dt>{t(`count.${name}` as 'count.create')}</dt>
        <dd>{formatNumber(counts[name])}</dd>
      </div>
    ))
  return (
    <div className={css.numbers}>
      <dl aria-label={t('counts')}>{items([...names, ...(counts.groups > 0 ? (['groups'] as const) : [])])}</dl>
      {isApplied({ ...run, counts }) && changesOf(counts) > 0 && (
        <dl aria-label={t('results')} data-results>
          {items(['applied', 'skipped', 'failed'])}
        </dl>
      )}
    </div>
  )
}

function Run({ run }: { run: UserImport }) {
  const t = useTexts(userImportsTexts)
  const label = useLabel()
  const [, setView] = useView(ImportsView)
  const hasPlan = run.state !== ImportState.PLANNING && run.state !== ImportState.REFUSED
  const source = label(ImportSource.labels[run.source])
  return (
    <Page>
      <PartHeader
        title={run.fileName || source}
        aside={<StateDot label={ImportState.labels[run.state]} />}
        purpose={
          <>
            {[run.fileName ? source : '', run.authorName].filter(Boolean).join(' · ')} ·{' '}
            <span className={css.moment}>{formatMoment(run.startDT)}</span>
          </>
        }
        back={{
          label: t('backToImports'),
          onBack: () =>
            setView({
              part: 'imports',
              importIdx: undefined,
              row: undefined,
              rowSearch: undefined,
              planTab: undefined,
            }),
        }}
      >
        <RunActions run={run} />
      </PartHeader>
      <PageBody>
        <div className={css.run}>
          <Notice run={run} />
          <Refused run={run} />
          {hasPlan && <Numbers run={run} />}
          {hasPlan && <RunRows run={run} />}
        </div>
      </PageBody>
    </Page>
  )
}

export function RunPage({ idx }: { idx: number }) {
  const t = useTexts(userImportsTexts)
  const [, setView] = useView(ImportsView)
  const query = useRun(idx)
  if (query.data !== undefined) return <QueryState of={query}>{(run) => <Run run={run} />}</QueryState>
  return (
    <Page>
      <PartHeader
        title={t('title')}
        back={{ label: t('backToImports'), onBack: () => setView({ part: 'imports', importIdx: undefined }) }}
      />
      <PageBody>
        <QueryState of={query}>{(run) => <Run run={run} />}</QueryState>
      </PageBody>
    </Page>
  )
}
