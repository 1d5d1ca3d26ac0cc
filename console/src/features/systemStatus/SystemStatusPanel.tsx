// The state of the running installation for its operator: what is wrong, the parts with their figures, nodes and jobs.
import { formatBytes, formatMoment } from '@acc/contract/labels/formats'
import { faultEntry, PART_LABELS, THRESHOLDS } from '@acc/contract/labels/systemStatus'
import type { SystemNode, SystemStatus } from '@acc/contract/systemStatus'
import { Hint, Pane, Section } from '../../kit/layout/Page.tsx'
import { QueryState } from '../../kit/layout/QueryState.tsx'
import { ShortTable } from '../../kit/table/ShortTable.tsx'
import { StatusDot } from '../../kit/table/StatusDot.tsx'
import { formatNumber } from '../../kit/texts/formatNumber.ts'
import { useLabel } from '../../kit/texts/labels.ts'
import { useTexts } from '../../kit/texts/texts.ts'
import { Jobs } from './Jobs.tsx'
import { PartSection, Parts } from './Parts.tsx'
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
  return (
    <>
      <Hint>{t('limits.nodes', { silence: THRESHOLDS.silence, clock: THRESHOLDS.clock })}</Hint>
      <ShortTable label={useLabel()(PART_LABELS.nodes)} rows={nodes} columns={columns} rowsPerPage={10} />
    </>
  )
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
