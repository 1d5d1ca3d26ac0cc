// The state of the running installation for its operator: problems, the parts with their figures, nodes and jobs.
import { formatBytes, formatMoment } from '@acc/contract/labels/formats'
import { jobLabel, scheduleLabel } from '@acc/contract/labels/jobs'
import { THRESHOLDS } from '@acc/contract/labels/statusThresholds'
import { type Fault, faultEntry, PART_LABELS } from '@acc/contract/labels/systemStatus'
import type { SystemJob, SystemNode, SystemStatus } from '@acc/contract/systemStatus'
import { Button, Stack } from '@mantine/core'
import { Hint, Page, PageBody, PageHeader, Pane } from '../../kit/layout/Page.tsx'
import { QueryState } from '../../kit/layout/QueryState.tsx'
import { useOpenScreen } from '../../kit/layout/view.ts'
import { type ShortColumn, ShortTable } from '../../kit/table/ShortTable.tsx'
import { StatusDot } from '../../kit/table/StatusDot.tsx'
import { useLabel } from '../../kit/texts/labels.ts'
import { formatNumber, useLanguage, useTexts } from '../../kit/texts/texts.ts'
import { PartSection, Parts } from './Parts.tsx'
import css from './SystemStatus.module.css'
import { daysUntil, isBackupDue, systemStatusTexts, useSystemStatus } from './systemStatus.ts'
import { Trends } from './Trends.tsx'

/** The viewer's time zone by its name, and its minutes ahead of UTC. */
function localZone(language: string, now = new Date()) {
  const parts = new Intl.DateTimeFormat(language, { timeZoneName: 'short' }).formatToParts(now)
  const zone = parts.find(({ type }) => type === 'timeZoneName')?.value ?? ''
  return { zone, offset: -now.getTimezoneOffset() }
}

/** What a job does. The tooltip has the name in logs and metrics. */
function JobName({ name }: Pick<SystemJob, 'name'>) {
  const labelOf = useLabel()
  const label = jobLabel(name)
  return <span title={name}>{label ? labelOf(label) : name}</span>
}

/** The scheduled jobs of the installation, in words, and their runs of the last day. */
function Jobs({ jobs }: { jobs: readonly SystemJob[] }) {
  const t = useTexts(systemStatusTexts)
  const labelOf = useLabel()
  const { zone, offset } = localZone(useLanguage())
  const columns: ShortColumn<SystemJob>[] = [
    { key: 'name', title: t('name'), render: ({ name }) => <JobName name={name} /> },
    {
      key: 'schedule',
      title: t('schedule', { zone }),
      render: ({ cron }) => (cron === null ? t('onDemand') : labelOf(scheduleLabel(cron, offset))),
    },
    { key: 'complete', title: t('complete'), isOneLine: true, render: (job) => formatMoment(job.completeDT) },
    { key: 'fail', title: t('fail'), isOneLine: true, render: (job) => formatMoment(job.failDT) },
    { key: 'failures', title: t('failures'), align: 'right', render: (job) => formatNumber(job.failures) },
    { key: 'waiting', title: t('waiting'), align: 'right', render: (job) => formatNumber(job.waiting) },
  ]
  return (
    <>
      <Hint>{t('jobsHint', { minutes: THRESHOLDS.delay })}</Hint>
      <ShortTable label={labelOf(PART_LABELS.jobs)} rows={jobs} columns={columns} rowsPerPage={30} />
    </>
  )
}

/** Where an administrator mends a fault in the console. */
const PLACES: Partial<Record<Fault, [screen: string, view: Record<string, unknown>]>> = {
  mailServerMissing: ['settings', { menu: 'mailServer' }],
  mailFailed: ['settings', { menu: 'mailServer', tab: 'sent' }],
  mailDelayed: ['settings', { menu: 'mailServer' }],
  licenseAlmostFull: ['settings', { menu: 'license' }],
  licenseFull: ['settings', { menu: 'license' }],
  licenseExpiring: ['settings', { menu: 'license' }],
  licenseExpired: ['settings', { menu: 'license' }],
  requestsUndecidable: ['approvals', { tab: 'waiting', isUndecidable: true }],
  reviewsOverdue: ['approvals', { tab: 'urgent', showsAll: true }],
  importBraked: ['settings', { menu: 'userSync', tab: 'runs' }],
  importRefused: ['settings', { menu: 'userSync', tab: 'runs' }],
}

/** Faults that an operator mends on the server: a text says how. */
const ADVISED = ['backupOld', 'backupInvalid', 'backupIncomplete', 'backupOnSameDisk'] as const

/** The faults, and a backup that will be one. */
function Faults({ faults, backup, backupDueDT }: Pick<SystemStatus, 'faults' | 'backup' | 'backupDueDT'>) {
  const t = useTexts(systemStatusTexts)
  const labelOf = useLabel()
  const openScreen = useOpenScreen()
  const isDue = isBackupDue({ backup, faults })
  if (faults.length === 0 && !isDue)
    return (
      <p className="notice" data-tone="ok">
        {t('noFaults')}
      </p>
    )
  return (
    <ul className={css.faults} aria-label={t('faults')}>
      {faults.map((fault) => {
        const place = PLACES[fault]
        const advised = ADVISED.find((one) => one === fault)
        return (
          <li key={fault} className="notice" data-tone={faultEntry(fault).isUrgent ? 'bad' : 'warn'}>
            <b>{labelOf(PART_LABELS[faultEntry(fault).part])}</b>
            {labelOf(faultEntry(fault))}
            {place !== undefined && (
              <Button
                variant="default"
                size="compact-xs"
                aria-label={`${t('open')}: ${labelOf(faultEntry(fault))}`}
                onClick={() => openScreen(...place)}
              >
                {t('open')}
              </Button>
            )}
            {advised && <small>{t(`advice.${advised}`)}</small>}
          </li>
        )
      })}
      {isDue && (
        <li className="notice">
          <b>{labelOf(PART_LABELS.backup)}</b>
          {t('backupDue', { count: daysUntil(backupDueDT) })}
          <small>{t('advice.backupDue')}</small>
        </li>
      )}
    </ul>
  )
}

function Nodes({ nodes }: { nodes: readonly SystemNode[] }) {
  const t = useTexts(systemStatusTexts)
  const columns: ShortColumn<SystemNode>[] = [
    { key: 'name', title: t('name'), render: ({ name }) => name },
    {
      key: 'state',
      title: t('state'),
      render: ({ isSilent }) => (
        <StatusDot tone={isSilent === 1 ? 'bad' : 'ok'}>{t(isSilent === 1 ? 'silent' : 'reporting')}</StatusDot>
      ),
    },
    { key: 'version', title: t('version'), render: ({ version }) => version },
    { key: 'start', title: t('start'), isOneLine: true, render: ({ startDT }) => formatMoment(startDT) },
    { key: 'seen', title: t('seen'), isOneLine: true, render: ({ seenDT }) => formatMoment(seenDT) },
    { key: 'memory', title: t('memory'), align: 'right', render: ({ memory }) => formatBytes(memory) },
    {
      key: 'clock',
      title: t('clock'),
      align: 'right',
      render: ({ clockOffset }) => t('seconds', { seconds: formatNumber(Math.round(clockOffset / 1000) || 0) }),
    },
  ]
  return (
    <>
      <Hint>{t('limits.nodes', { silence: THRESHOLDS.silence, clock: THRESHOLDS.clock })}</Hint>
      <ShortTable label={useLabel()(PART_LABELS.nodes)} rows={nodes} columns={columns} rowsPerPage={10} />
    </>
  )
}

export function SystemStatusScreen() {
  const t = useTexts(systemStatusTexts)
  const query = useSystemStatus(15_000)
  return (
    <Page>
      <PageHeader />
      <PageBody>
        <QueryState of={query}>
          {(status) => (
            <Pane label={t('present')}>
              <Stack gap={12}>
                <section aria-label={t('faults')}>
                  <h2 className="unseen">{t('faults')}</h2>
                  <Faults {...status} />
                </section>
                <Stack component="section" gap={12} aria-label={t('parts')}>
                  <h2 className="unseen">{t('parts')}</h2>
                  <Trends />
                  <Parts status={status} />
                  <PartSection part="nodes" faults={status.faults}>
                    <Nodes nodes={status.nodes} />
                  </PartSection>
                  <PartSection part="jobs" faults={status.faults}>
                    <Jobs jobs={status.jobs} />
                  </PartSection>
                </Stack>
              </Stack>
            </Pane>
          )}
        </QueryState>
      </PageBody>
    </Page>
  )
}
