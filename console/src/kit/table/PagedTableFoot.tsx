// Below a table: which rows of how many, the CSV button, and the pages.
import type { InputOf, Route } from '@acc/contract/core/route'
import { formatBytes } from '@acc/contract/labels/formats'
import { Button, Group, Loader, Pagination, Select, Tooltip, UnstyledButton } from '@mantine/core'
import { IconDownload, IconX } from '@tabler/icons-react'
import { downloadCsv, useReceivedFile } from '../api/receivedFile.ts'
import { showToast } from '../dialogs/toast.tsx'
import { kitTexts } from '../texts/kit.texts.ts'
import { formatNumber, useTexts } from '../texts/texts.ts'
import css from './PagedTable.module.css'

/** Pages that a dialog shows at once (spec S2 §9). */
const PAGE_RANGE = 5

/** Returns the numbers of the pages around the current one: five of them wherever there are so many. */
export function pageRange(page: number, pages: number): number[] {
  const count = Math.min(PAGE_RANGE, pages)
  const first = Math.min(Math.max(1, page - Math.floor(PAGE_RANGE / 2)), pages - count + 1)
  return Array.from({ length: count }, (_, at) => first + at)
}

type CsvButtonProps<R extends Route> = { route: R; input: InputOf<R>; name: string; isDisabled: boolean }

/** The CSV button of a list: shows the size received while it runs, and cancels when pressed again. */
function CsvButton<R extends Route>({ route, input, name, isDisabled }: CsvButtonProps<R>) {
  const t = useTexts(kitTexts)
  const { bytes, start, stop } = useReceivedFile(t('table.csvFailed'))
  const download = async () => {
    const file = await start((job) => downloadCsv(route, input, name, job))
    if (file !== undefined) showToast(t('table.csvDone', { name: file }))
  }
  const isRunning = bytes !== null
  const isOff = isDisabled && !isRunning
  const words = isRunning ? t('table.csvRunning', { size: formatBytes(bytes) }) : t('table.csv')
  return (
    <Tooltip label={t('table.csvHint')} disabled={isRunning || isOff}>
      {/* One button, which keeps the focus. */}
      <Button
        variant={isRunning ? 'default' : 'subtle'}
        color="gray"
        size="compact-sm"
        leftSection={isRunning ? <Loader size={12} color="gray" /> : <IconDownload size={14} />}
        rightSection={isRunning && <IconX size={13} />}
        data-disabled={isOff || undefined}
        aria-disabled={isOff}
        aria-label={isRunning ? `${words}, ${t('cancel')}` : undefined}
        onClick={() => (isRunning ? stop() : isOff || void download())}
      >
        {words}
      </Button>
    </Tooltip>
  )
}

type Props<R extends Route> = {
  route: R
  /** The accessible name of the table. */
  label: string
  list: {
    input: InputOf<R>
    page: number
    rows: number
    maxCount: number
    query: { isFetching: boolean; isPlaceholderData: boolean }
    setPage: (page: number) => void
    setRows: (rows: number) => void
    countAll: () => void
  }
  total: number | undefined
  shown: number
  csvName: string | undefined
  hasFixedRows: boolean
  /** What the rows are, where the total says it. */
  unit: 'people' | undefined
}

function Total({ total, maxCount, onCountAll }: { total: number; maxCount: number; onCountAll: () => void }) {
  const t = useTexts(kitTexts)
  if (total <= maxCount) return formatNumber(total)
  const shown = `${maxCount}+`
  const hint = t('table.countAll', { total: formatNumber(maxCount) })
  return (
    <Tooltip label={hint}>
      <UnstyledButton className={css.countAll} onClick={onCountAll} aria-label={`${shown} ${hint}`}>
        {shown}
      </UnstyledButton>
    </Tooltip>
  )
}

/** The five pages around the current one, in dialogs (spec S2 §9). */
function NearPages({ page, pages, onChange }: { page: number; pages: number; onChange: (page: number) => void }) {
  return pageRange(page, pages).map((number) => (
    <Pagination.Control
      key={number}
      active={number === page}
      aria-current={number === page ? 'page' : undefined}
      onClick={() => onChange(number)}
    >
      {number}
    </Pagination.Control>
  ))
}

export function PagedTableFoot<R extends Route>({
  route,
  label,
  list,
  total,
  shown,
  csvName,
  hasFixedRows,
  unit,
}: Props<R>) {
  const t = useTexts(kitTexts)
  const from = (list.page - 1) * list.rows + (shown > 0 ? 1 : 0)
  const to = (list.page - 1) * list.rows + shown
  // The total is a button where it can be counted on, so the text is drawn around it.
  const range = t(unit === 'people' ? 'table.rangeOfPeople' : 'table.range', {
    from: formatNumber(from),
    to: formatNumber(to),
    total: '|',
    count: total ?? 0,
  })
  const [beforeTotal, afterTotal] = range.split('|')
  const pages = Math.max(1, Math.ceil((total ?? 0) / list.rows))
  return (
    <div className={css.foot}>
      {total !== undefined && (
        <span className={css.range} aria-live="polite">
          {total === 0 ? (
            t('table.noRows')
          ) : (
            <>
              {beforeTotal}
              <Total total={total} maxCount={list.maxCount} onCountAll={list.countAll} />
              {afterTotal}
            </>
          )}
        </span>
      )}
      {list.query.isFetching && total !== undefined && <Loader size={12} color="gray" />}
      <span className={css.space} />
      {csvName !== undefined && <CsvButton route={route} input={list.input} name={csvName} isDisabled={!total} />}
      {!hasFixedRows && (
        <Select
          size="xs"
          w={76}
          className={css.perPage}
          aria-label={t('table.perPage')}
          data={[25, 50, 100, 200]}
          value={list.rows}
          onChange={(rows) => rows && list.setRows(rows)}
        />
      )}
      <Pagination.Root
        size="sm"
        siblings={0}
        total={pages}
        value={list.page}
        onChange={list.setPage}
        role="navigation"
        aria-label={t('named', { name: label, action: t('table.pages') })}
      >
        <Group gap={8} wrap="nowrap">
          <Pagination.Previous aria-label={t('table.previous')} />
          {hasFixedRows ? <NearPages page={list.page} pages={pages} onChange={list.setPage} /> : <Pagination.Items />}
          <Pagination.Next aria-label={t('table.next')} />
        </Group>
      </Pagination.Root>
    </div>
  )
}
