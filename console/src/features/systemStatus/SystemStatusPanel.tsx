// The state of the running installation for its operator: what is wrong, the parts with their figures, nodes and jobs.
import { formatBytes, formatDay, formatMoment } from '@acc/contract/labels/formats'
import { faultEntry, OUTLET_LABELS, PART_LABELS, type Part, statusLabel } from '@acc/contract/labels/systemStatus'
import type { SystemNode, SystemStatus } from '@acc/contract/systemStatus'
import type { ReactNode } from 'react'
import { Facts, Hint, Pane, Section } from '../../kit/layout/Page.tsx'
import { QueryState } from '../../kit/layout/QueryState.tsx'
import { ShortTable } from '../../kit/table/ShortTable.tsx'
import { StateDot, StatusDot } from '../../kit/table/StatusDot.tsx'
import { formatNumber } from '../../kit/texts/formatNumber.ts'
import { useLabel } from '../../kit/texts/labels.ts'
import { useTexts } from '../../kit/texts/texts.ts'
import { Jobs } from './Jobs.tsx'
import css from './SystemStatus.module.css'
import { useSystemStatus } from './systemStatus.queries.ts'
import { systemStatusTexts } from './systemStatus.texts.ts'

function Faults({ faults }: Pick<SystemStatus, 'faults'>) {
  const t = useTexts(systemStatusTexts)
  const labelOf = useLabel()
  if (faults.length === 0) return <Hint>{t('noFaults')}</Hint>
  return (
    <ul className={css.faults} aria-label={t('faults')}>
      {faults.map((fault) => (
        <li key={fault} data-urgent={faultEntry(fault).isUrgent || undefined}>
          <b>{labelOf(PART_LABELS[faultEntry(fault).part])}</b>
          {labelOf(faultEntry(fault))}
        </li>
      ))}
    </ul>
  )
}

type PartProps = {
  part: Part
  faults: SystemStatus['faults']
  /** Says that the installation has no such part: no fault, and nothing to rely on either. */
  unused?: string | undefined
  children: ReactNode
}

/** A part with its state, which its worst fault decides. */
function PartSection({ part, faults, unused, children }: PartProps) {
  const labelOf = useLabel()
  const own = faults.filter((fault) => faultEntry(fault).part === part)
  return (
    <section className={css.part} aria-label={labelOf(PART_LABELS[part])}>
      <div className={css.head}>
        <h3>{labelOf(PART_LABELS[part])}</h3>
        {unused !== undefined && own.length === 0 ? (
          <StatusDot tone="quiet">{unused}</StatusDot>
        ) : (
          <StateDot label={statusLabel(own)} />
        )}
      </div>
      {children}
    </section>
  )
}

function FileFacts({ files }: Pick<SystemStatus, 'files'>) {
  const t = useTexts(systemStatusTexts)
  if (files === null) return <Facts rows={[[t('freeSpace'), t('unavailable')]]} />
  const { kind, freeSpace } = files
  if (freeSpace === null) return <Facts rows={[[t('kind'), t(kind)]]} />
  return (
    <Facts
      rows={[
        [t('kind'), t(kind)],
        [t('freeSpace'), formatBytes(freeSpace)],
      ]}
    />
  )
}

/** Files that cannot be read, each with its request or client version. */
function DamagedFiles({ count, items }: SystemStatus['damagedFiles']) {
  const t = useTexts(systemStatusTexts)
  if (count === 0) return null
  return (
    <Facts
      rows={[
        [t('damagedFiles'), formatNumber(count)],
        ...items.map(({ fileEximportIdx, version, fileName, reason }): [string, string] => [
          fileEximportIdx === null
            ? t('ofVersion', { version: version ?? '' })
            : t('ofRequest', { idx: String(fileEximportIdx) }),
          `${fileName} (${t(reason)})`,
        ]),
      ]}
    />
  )
}

function Parts({ status }: { status: SystemStatus }) {
  const t = useTexts(systemStatusTexts)
  const labelOf = useLabel()
  const { faults, database, files, mail, license, backup, archive, history, outlets } = status
  const ofMax = (count: number, max: number) => t('ofMax', { count: formatNumber(count), max: formatNumber(max) })
  return (
    <div className={css.parts}>
      <PartSection part="database" faults={faults}>
        <Facts
          rows={[
            [t('kind'), `${t(database.isEmbedded === 1 ? 'embedded' : 'external')} ${database.version}`],
            [t('size'), formatBytes(database.size)],
            [t('connections'), ofMax(database.connections, database.maxConnections)],
            [t('rights'), t(database.canAlter === 1 ? 'ofOwner' : 'ofRows')],
          ]}
        />
      </PartSection>
      <PartSection part="files" faults={faults}>
        <FileFacts files={files} />
        <DamagedFiles {...status.damagedFiles} />
      </PartSection>
      <PartSection part="mail" faults={faults}>
        <Facts
          rows={[
            [t('waiting'), formatNumber(mail.waiting)],
            [t('failed'), formatNumber(mail.failed)],
          ]}
        />
      </PartSection>
      <PartSection part="backup" faults={faults} unused={backup === null ? t('noBackup') : undefined}>
        <Facts
          rows={[
            [t('lastBackup'), backup === null ? t('never') : formatMoment(backup.moment)],
            [t('verified'), backup?.failure ?? formatMoment(backup?.checkDT ?? null)],
            [t('size'), backup === null ? '-' : formatBytes(backup.size)],
            [t('missingFiles'), backup === null ? '-' : formatNumber(backup.missing)],
          ]}
        />
      </PartSection>
      <PartSection part="archive" faults={faults} unused={archive === null ? t('unused') : undefined}>
        {archive === null ? (
          <Hint>{t('notArchived')}</Hint>
        ) : (
          <Facts
            rows={[
              [t('archivedThrough'), archive.throughDT === null ? t('never') : formatMoment(archive.throughDT)],
              [t('baseBackup'), archive.baseDT === null ? t('never') : formatMoment(archive.baseDT)],
              [t('verified'), archive.finding ?? formatMoment(archive.checkDT)],
              [t('waitingFiles'), formatNumber(archive.waitingFiles)],
              ...(archive.failure === null ? [] : [[t('failure'), archive.failure] as [string, string]]),
            ]}
          />
        )}
      </PartSection>
      <PartSection part="history" faults={faults}>
        <Facts
          rows={[
            [t('verified'), history.finding ?? (history.checkDT === null ? t('never') : formatMoment(history.checkDT))],
            ...outlets.flatMap(({ name, sendDT, waitDT }): [string, string][] => [
              [
                t('lastSent', { outlet: labelOf(OUTLET_LABELS[name]) }),
                sendDT === null ? t('never') : formatMoment(sendDT),
              ],
              ...(waitDT === null ? [] : [[t('waitingSince'), formatMoment(waitDT)] as [string, string]]),
            ]),
          ]}
        />
        {outlets.length === 0 && <Hint>{t('notForwarded')}</Hint>}
      </PartSection>
      <PartSection part="license" faults={faults}>
        <Facts
          rows={[
            [t('used'), ofMax(license.useCount, license.maxCount)],
            ...(license.isEvaluation === 1 ? [[t('kind'), t('evaluation')] as [string, string]] : []),
            [t('expiry'), license.expiry === null ? t('never') : formatDay(license.expiry)],
          ]}
        />
      </PartSection>
    </div>
  )
}

function Nodes({ nodes }: { nodes: readonly SystemNode[] }) {
  const t = useTexts(systemStatusTexts)
  const columns = [
    { key: 'name', title: t('name'), render: (node: SystemNode) => node.name },
    {
      key: 'state',
      title: t('state'),
      render: ({ isSilent }: SystemNode) => (
        <StatusDot tone={isSilent === 1 ? 'bad' : 'ok'}>{t(isSilent === 1 ? 'silent' : 'reporting')}</StatusDot>
      ),
    },
    { key: 'version', title: t('version'), render: (node: SystemNode) => node.version },
    {
      key: 'start',
      title: t('start'),
      isOneLine: true as const,
      render: (node: SystemNode) => formatMoment(node.startDT),
    },
    {
      key: 'seen',
      title: t('seen'),
      isOneLine: true as const,
      render: (node: SystemNode) => formatMoment(node.seenDT),
    },
    {
      key: 'memory',
      title: t('memory'),
      align: 'right' as const,
      render: (node: SystemNode) => formatBytes(node.memory),
    },
    {
      key: 'clock',
      title: t('clock'),
      align: 'right' as const,
      render: ({ clockOffset }: SystemNode) =>
        t('seconds', { seconds: formatNumber(Math.round(clockOffset / 1000) || 0) }),
    },
  ]
  return <ShortTable label={useLabel()(PART_LABELS.nodes)} rows={nodes} columns={columns} rowsPerPage={10} />
}

export function SystemStatusPanel() {
  const t = useTexts(systemStatusTexts)
  const query = useSystemStatus()
  return (
    <QueryState of={query}>
      {(status) => (
        <Pane isText>
          <Section title={t('faults')}>
            <Faults faults={status.faults} />
          </Section>
          <div className={css.stack}>
            <Parts status={status} />
            <PartSection part="nodes" faults={status.faults}>
              <Nodes nodes={status.nodes} />
            </PartSection>
            <PartSection part="jobs" faults={status.faults}>
              <Jobs jobs={status.jobs} />
            </PartSection>
          </div>
        </Pane>
      )}
    </QueryState>
  )
}
