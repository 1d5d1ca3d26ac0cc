// One entry of the transfer history: number, people, files, purpose and reason.
import type { Transfer } from '@acc/contract/enums'
import { formatBytes, formatMoment } from '@acc/contract/labels/formats'
import { Facts, Pane, Quote, Section } from '../../kit/layout/Page.tsx'
import { Empty, QueryState } from '../../kit/layout/QueryState.tsx'
import { StatusDot } from '../../kit/table/StatusDot.tsx'
import { useTexts } from '../../kit/texts/texts.ts'
import css from './History.module.css'
import { useTransfer } from './history.queries.ts'
import { historyTexts } from './history.texts.ts'
import { type FileEximportRow, STATES } from './transferStatus.ts'

function Detail({ row }: { row: FileEximportRow }) {
  const t = useTexts(historyTexts)
  const { word, tone } = STATES[row.state]
  return (
    <Pane title={`#${row.idx} · ${row.requesterName}`} aside={<StatusDot tone={tone}>{t(word)}</StatusDot>}>
      <Facts
        rows={[
          [t('requesterName'), `${row.requesterName} (${row.requesterId})`],
          [t('email'), row.requesterEmail],
          [t('requesterGroupName'), row.requesterGroupName],
          [t('requestDT'), formatMoment(row.requestDT)],
          [t('approverName'), row.approverName === null ? '-' : `${row.approverName} (${row.approverId ?? ''})`],
          [t('approveDT'), formatMoment(row.approveDT)],
        ]}
      />
      <Section title={t('fileList', { count: row.fileCount, size: formatBytes(row.fileSize) })}>
        {row.files.map((file) => (
          <div key={file.idx} className={css.file}>
            <span>
              <span className={css.fileName}>{file.fileName}</span>
              <small title={file.sha256}>{file.sha256.slice(0, 16)}…</small>
            </span>
            <span>{formatBytes(file.fileSize)}</span>
          </div>
        ))}
      </Section>
      <Section title={t('requestPurpose')}>
        <Quote>{row.requestPurpose}</Quote>
      </Section>
      <Section title={t('approvePurpose')}>
        {row.approvePurpose ? <Quote>{row.approvePurpose}</Quote> : <p className={css.note}>{t('noReason')}</p>}
      </Section>
    </Pane>
  )
}

export function FileEximportPane({ type, idx }: { type: Transfer; idx: number }) {
  const t = useTexts(historyTexts)
  const title = type === 1 ? t('selectFileExport') : t('selectFileImport')
  return (
    <QueryState of={useTransfer(type, idx)}>
      {({ items }) => {
        const row = items.find((one) => one.idx === idx)
        return row === undefined ? <Empty title={title} /> : <Detail row={row} />
      }}
    </QueryState>
  )
}
