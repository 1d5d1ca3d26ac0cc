// The scheduled jobs of the installation, in words, and their runs of the last day.
import { formatMoment } from '@acc/contract/labels/formats'
import { jobLabel, scheduleLabel } from '@acc/contract/labels/jobs'
import { PART_LABELS, THRESHOLDS } from '@acc/contract/labels/systemStatus'
import type { SystemJob } from '@acc/contract/systemStatus'
import { Hint } from '../../kit/layout/Page.tsx'
import { ShortTable } from '../../kit/table/ShortTable.tsx'
import { formatNumber } from '../../kit/texts/formatNumber.ts'
import { useLabel } from '../../kit/texts/labels.ts'
import { useLanguage, useTexts } from '../../kit/texts/texts.ts'
import { systemStatusTexts } from './systemStatus.texts.ts'

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

export function Jobs({ jobs }: { jobs: readonly SystemJob[] }) {
  const t = useTexts(systemStatusTexts)
  const labelOf = useLabel()
  const { zone, offset } = localZone(useLanguage())
  const columns = [
    { key: 'name', title: t('name'), render: (job: SystemJob) => <JobName name={job.name} /> },
    {
      key: 'schedule',
      title: t('schedule', { zone }),
      render: ({ cron }: SystemJob) => (cron === null ? t('onDemand') : labelOf(scheduleLabel(cron, offset))),
    },
    {
      key: 'complete',
      title: t('complete'),
      isOneLine: true as const,
      render: (job: SystemJob) => formatMoment(job.completeDT),
    },
    { key: 'fail', title: t('fail'), isOneLine: true as const, render: (job: SystemJob) => formatMoment(job.failDT) },
    {
      key: 'failures',
      title: t('failures'),
      align: 'right' as const,
      render: (job: SystemJob) => formatNumber(job.failures),
    },
    {
      key: 'waiting',
      title: t('waiting'),
      align: 'right' as const,
      render: (job: SystemJob) => formatNumber(job.waiting),
    },
  ]
  return (
    <>
      <Hint>{t('jobsHint', { minutes: THRESHOLDS.delay })}</Hint>
      <ShortTable label={labelOf(PART_LABELS.jobs)} rows={jobs} columns={columns} rowsPerPage={30} />
    </>
  )
}
