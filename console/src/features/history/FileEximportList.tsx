// Requests to move files out or in, with the chosen one beside the list.
import { api } from '@acc/contract'
import { ApprovalState, Transfer } from '@acc/contract/enums'
import { formatBytes, formatMoment } from '@acc/contract/labels/formats'
import { useViewer } from '../../kit/api/viewer.ts'
import { Empty } from '../../kit/layout/QueryState.tsx'
import { SplitPane } from '../../kit/layout/SplitPane.tsx'
import { momentsOf } from '../../kit/table/dayRange.ts'
import { type Column, PagedTable } from '../../kit/table/PagedTable.tsx'
import { StatusDot } from '../../kit/table/StatusDot.tsx'
import { useTexts } from '../../kit/texts/texts.ts'
import { FileEximportPane } from './FileEximportPane.tsx'
import css from './History.module.css'
import { FilterCell, HistoryFilters, type ListProps } from './HistoryFilters.tsx'
import { historyTexts } from './history.texts.ts'
import { rangeOf } from './historyView.ts'
import { type FileEximportRow, STATES } from './transferStatus.ts'

// The filter leaves canceled requests out (S2 section 4).
const OFFERED = [ApprovalState.REQUESTED, ApprovalState.APPROVED, ApprovalState.REJECTED, ApprovalState.ALLOWED]

function useColumns(props: ListProps): Column<typeof api.history.fileEximport>[] {
  const t = useTexts(historyTexts)
  const cell = (name: 'requesterName' | 'requesterGroupName') => (row: FileEximportRow) => (
    <FilterCell {...props} name={name} value={row[name]} />
  )
  return [
    { key: 'idx', title: t('number'), width: 64, isSortable: true },
    {
      key: 'state',
      title: t('state'),
      width: 100,
      isSortable: true,
      render: (row) => <StatusDot tone={STATES[row.state].tone}>{t(STATES[row.state].word)}</StatusDot>,
    },
    { key: 'requesterName', title: t('requesterName'), width: 100, isSortable: true, render: cell('requesterName') },
    { key: 'requesterGroupName', title: t('requesterGroupName'), isSortable: true, render: cell('requesterGroupName') },
    {
      key: 'fileSize',
      title: t('fileSize'),
      width: 92,
      isSortable: true,
      align: 'right',
      render: (row) => formatBytes(row.fileSize),
    },
    {
      key: 'requestDT',
      title: t('requestDT'),
      width: 158,
      isSortable: true,
      render: (row) => formatMoment(row.requestDT),
    },
    {
      key: 'approverName',
      title: t('approverName'),
      width: 100,
      isSortable: true,
      render: (row) => row.approverName ?? '-',
    },
  ]
}

export function FileEximportList({ view, setView, type }: ListProps & { type: Transfer }) {
  const t = useTexts(historyTexts)
  const { runtime } = useViewer()
  const { from, to } = momentsOf(rangeOf(view, runtime))
  const columns = useColumns({ view, setView })
  const isExport = type === Transfer.EXPORT
  const state = OFFERED.find((value) => value === view.type)
  const filter = { ...view.filters, type, state, logSDT: from, logEDT: to }
  return (
    <>
      <HistoryFilters
        view={view}
        setView={setView}
        fields={[
          { name: 'idx', label: t('number'), width: 80 },
          { name: 'requesterId', label: t('requesterId') },
          { name: 'requesterName', label: t('requesterName') },
          { name: 'requesterGroupName', label: t('requesterGroupName') },
          { name: 'approverName', label: t('approverName') },
          { name: 'fileName', label: t('fileName') },
        ]}
        select={{ label: t('state'), options: OFFERED.map((value) => ({ value, label: t(STATES[value].word) })) }}
      />
      <div className={css.rest}>
        <SplitPane
          name="history.detail"
          at="end"
          width={360}
          side={
            view.idx === undefined ? (
              <Empty title={isExport ? t('selectFileExport') : t('selectFileImport')} hint={t('selectHint')} />
            ) : (
              <FileEximportPane key={view.idx} type={type} idx={view.idx} />
            )
          }
        >
          <PagedTable
            route={api.history.fileEximport}
            filter={filter}
            columns={columns}
            label={isExport ? t('listFileExport') : t('listFileImport')}
            focused={view.idx}
            onFocus={({ idx }) => setView({ idx })}
            empty={{ title: t('empty'), hint: t('emptyHint') }}
            csvName={isExport ? 'fileExport' : 'fileImport'}
          />
        </SplitPane>
      </div>
    </>
  )
}
