// The parts of the installation with their figures, and where a fault of each begins.
import { formatBytes, formatDay, formatMoment } from '@acc/contract/labels/formats'
import { THRESHOLDS } from '@acc/contract/labels/statusThresholds'
import { faultEntry, OUTLET_LABELS, PART_LABELS, type Part, statusLabel } from '@acc/contract/labels/systemStatus'
import type { SystemStatus } from '@acc/contract/systemStatus'
import { Group } from '@mantine/core'
import type { ReactNode } from 'react'
import { Facts, Hint } from '../../kit/layout/Page.tsx'
import { StateDot, StatusDot } from '../../kit/table/StatusDot.tsx'
import { useLabel } from '../../kit/texts/labels.ts'
import { formatNumber, useLanguage, useTexts } from '../../kit/texts/texts.ts'
import css from './SystemStatus.module.css'
import { agoText, systemStatusTexts } from './systemStatus.ts'

const { connections, lowSpace, reservedSpace, delay, licenses, licenseExpiry, backupAge } = THRESHOLDS
const { archiveDelay, archivedFileDelay, outletDelay } = THRESHOLDS

type PartProps = {
  part: Part
  faults: SystemStatus['faults']
  /** Says that the installation has no such part: no fault, and nothing to rely on either. */
  unused?: string | undefined
  children: ReactNode
}

/** A part with its state, which its worst fault decides. */
export function PartSection({ part, faults, unused, children }: PartProps) {
  const labelOf = useLabel()
  const own = faults.filter((fault) => faultEntry(fault).part === part)
  return (
    <section className={css.part} aria-label={labelOf(PART_LABELS[part])}>
      <Group justify="space-between" gap={12} mb={8} wrap="nowrap">
        <h3>{labelOf(PART_LABELS[part])}</h3>
        {unused !== undefined && own.length === 0 ? (
          <StatusDot tone="quiet">{unused}</StatusDot>
        ) : (
          <StateDot label={statusLabel(own)} />
        )}
      </Group>
      {children}
    </section>
  )
}

/** A figure; one that can become a fault says where the fault begins. */
type Figure = readonly [label: string, value: string, limit?: string]

function Figures({ rows }: { rows: readonly Figure[] }) {
  const withLimit = ([label, value, limit]: Figure) => {
    if (limit === undefined) return [label, value] as const
    const both = (
      <>
        {value}
        <small>{limit}</small>
      </>
    )
    return [label, both] as const
  }
  return <Facts rows={rows.map(withLimit)} />
}

/** Returns the figure of a moment, with its age. */
function useSince() {
  const t = useTexts(systemStatusTexts)
  const language = useLanguage()
  return (label: string, moment: string | null, limit: string): Figure =>
    moment === null
      ? [label, t('never'), limit]
      : [label, formatMoment(moment), `${agoText(moment, language)} · ${limit}`]
}

function Files({ files, damagedFiles }: Pick<SystemStatus, 'files' | 'damagedFiles'>) {
  const t = useTexts(systemStatusTexts)
  const { count, items } = damagedFiles
  const space = t('limits.space', { low: lowSpace, reserved: reservedSpace })
  const store: Figure[] =
    files === null
      ? [[t('freeSpace'), t('unavailable')]]
      : [
          [t('kind'), t(files.kind)],
          ...(files.freeSpace === null ? [] : [[t('freeSpace'), formatBytes(files.freeSpace), space] as const]),
        ]
  // Each with its request or client version.
  const damaged = items.map(({ fileEximportIdx, version, fileName, reason }): Figure => {
    const isOfVersion = fileEximportIdx === null
    const owner = isOfVersion ? t('ofVersion', { version: version ?? '' }) : t('ofRequest', { idx: fileEximportIdx })
    return [owner, `${fileName} (${t(reason)})`]
  })
  return (
    <>
      <Figures rows={store} />
      {count > 0 && <Figures rows={[[t('damagedFiles'), formatNumber(count)], ...damaged]} />}
    </>
  )
}

function Backup({ backup }: Pick<SystemStatus, 'backup'>) {
  const t = useTexts(systemStatusTexts)
  const since = useSince()
  const last = since(t('lastBackup'), backup?.moment ?? null, t('limits.backup', { days: backupAge }))
  if (backup === null) return <Figures rows={[last]} />
  const { size, missing, checkDT, failure } = backup
  return (
    <Figures
      rows={[
        last,
        [t('verified'), failure ?? formatMoment(checkDT)],
        [t('size'), formatBytes(size)],
        [t('missingFiles'), formatNumber(missing), t('limits.any')],
      ]}
    />
  )
}

function Archive({ archive }: Pick<SystemStatus, 'archive'>) {
  const t = useTexts(systemStatusTexts)
  const since = useSince()
  if (archive === null) return <Hint>{t('notArchived')}</Hint>
  const { throughDT, baseDT, checkDT, finding, waitingFiles, failure } = archive
  return (
    <Figures
      rows={[
        since(t('archivedThrough'), throughDT, t('limits.archive', { minutes: archiveDelay })),
        [t('baseBackup'), baseDT === null ? t('never') : formatMoment(baseDT)],
        [t('verified'), finding ?? formatMoment(checkDT)],
        [t('waitingFiles'), formatNumber(waitingFiles), t('limits.wait', { minutes: archivedFileDelay })],
        ...(failure === null ? [] : [[t('failure'), failure] as const]),
      ]}
    />
  )
}

function History({ history, outlets }: Pick<SystemStatus, 'history' | 'outlets'>) {
  const t = useTexts(systemStatusTexts)
  const labelOf = useLabel()
  const since = useSince()
  const { finding, checkDT } = history
  const limit = t('limits.outlet', { minutes: outletDelay })
  return (
    <>
      <Figures
        rows={[
          [t('verified'), finding ?? (checkDT === null ? t('notVerified') : formatMoment(checkDT))],
          ...outlets.flatMap(({ name, sendDT, waitDT }): Figure[] => [
            since(t('lastSent', { outlet: labelOf(OUTLET_LABELS[name]) }), sendDT, limit),
            ...(waitDT === null ? [] : [[t('waitingSince'), formatMoment(waitDT)] as const]),
          ]),
        ]}
      />
      {outlets.length === 0 && <Hint>{t('notForwarded')}</Hint>}
    </>
  )
}

export function Parts({ status }: { status: SystemStatus }) {
  const t = useTexts(systemStatusTexts)
  const { faults, database, files, damagedFiles, mail, license, backup, archive, history, outlets, requests } = status
  const { useCount, maxCount, isEvaluation, expiry } = license
  const ofMax = (count: number, max: number) => t('ofMax', { count: formatNumber(count), max: formatNumber(max) })
  return (
    <div className={css.parts}>
      <PartSection part="database" faults={faults}>
        <Figures
          rows={[
            [t('kind'), `${t(database.isEmbedded === 1 ? 'embedded' : 'external')} ${database.version}`],
            [t('size'), formatBytes(database.size)],
            [
              t('connections'),
              ofMax(database.connections, database.maxConnections),
              t('limits.connections', { percent: connections }),
            ],
            [t('rights'), t(database.canAlter === 1 ? 'ofOwner' : 'ofRows')],
          ]}
        />
      </PartSection>
      <PartSection part="files" faults={faults}>
        <Files files={files} damagedFiles={damagedFiles} />
      </PartSection>
      <PartSection part="mail" faults={faults}>
        <Figures
          rows={[
            [t('delivery'), t(mail.isOutbox === 1 ? 'outbox' : 'delivered')],
            [t('waiting'), formatNumber(mail.waiting), t('limits.wait', { minutes: delay })],
            [t('failed'), formatNumber(mail.failed), t('limits.any')],
          ]}
        />
      </PartSection>
      <PartSection part="backup" faults={faults} unused={backup === null ? t('noBackup') : undefined}>
        <Backup backup={backup} />
      </PartSection>
      <PartSection part="archive" faults={faults} unused={archive === null ? t('unused') : undefined}>
        <Archive archive={archive} />
      </PartSection>
      <PartSection part="history" faults={faults}>
        <History history={history} outlets={outlets} />
      </PartSection>
      <PartSection part="requests" faults={faults}>
        <Figures
          rows={[
            [t('undecidable'), formatNumber(requests.undecidable), t('limits.one')],
            [t('overdueReviews'), formatNumber(requests.overdueReviews), t('limits.one')],
          ]}
        />
      </PartSection>
      <PartSection part="license" faults={faults}>
        <Figures
          rows={[
            [t('used'), ofMax(useCount, maxCount), t('limits.licenses', { percent: licenses })],
            ...(isEvaluation === 1 ? [[t('kind'), t('evaluation')] as const] : []),
            expiry === null
              ? [t('expiry'), t('never')]
              : [t('expiry'), formatDay(expiry), t('limits.expiry', { days: licenseExpiry })],
          ]}
        />
      </PartSection>
    </div>
  )
}
