// Nested entries of a history row, such as the exceptions of a policy: added, removed and unchanged (spec S2 §2.6).
import type { Fields } from '@acc/contract/history/fields'
import { ExceptionType } from '@acc/contract/labels/policies'
import { portText, targetText } from '@acc/contract/policyExceptions'
import { z } from 'zod'
import { FileName } from '../../kit/layout/FileName.tsx'
import { type ShortColumn, ShortTable } from '../../kit/table/ShortTable.tsx'
import { useLanguage, useTexts } from '../../kit/texts/texts.ts'
import { historyTexts } from './history.ts'
import { wordsOf } from './logs.ts'

type Entries = readonly Record<string, unknown>[]
/** What an entry says: a copy of a policy has other rows with the same contents. */
const markKey = ({ isOld: _, idx: __, ...values }: Record<string, unknown>) =>
  JSON.stringify(Object.entries(values).sort())

type Row = { entry: Record<string, unknown>; mark: 'added' | 'removed' | 'same' | undefined }

/** Merges old and new entries: only new means added, only old removed, both unchanged (spec S2 §2.6). */
function marked(entries: Entries): Row[] {
  const news = new Set(entries.filter(({ isOld }) => isOld !== 1).map(markKey))
  const olds = new Set(entries.filter(({ isOld }) => isOld === 1).map(markKey))
  const markOf = (entry: Record<string, unknown>) => {
    if (entry.isOld === undefined) return undefined
    const key = markKey(entry)
    return news.has(key) && olds.has(key) ? 'same' : entry.isOld === 1 ? 'removed' : 'added'
  }
  const isSame = (mark: ReturnType<typeof markOf>) => Number(mark === 'same')
  return entries
    .map((entry) => ({ entry, mark: markOf(entry) }) as const)
    .filter(({ entry, mark }) => mark !== 'same' || entry.isOld === 1)
    .sort((one, other) => isSame(one.mark) - isSame(other.mark))
}

export type EntryList = { ko: string; en: string; fields: Fields; rows: number }

const Target = z.object({ type: z.literal(ExceptionType.values), ip1: z.string(), ip2: z.string(), port: z.int() })

type Column = ShortColumn<Row>

/** Shows the addresses and the port of an exception in one column, so that it fits next to a list. */
function withTarget(columns: readonly Column[], title: string): Column[] {
  const target: Column = {
    key: 'target',
    title,
    render: ({ entry }) => {
      const { data } = Target.safeParse(entry)
      return data ? `${targetText(data)} : ${portText(data.port)}` : '-'
    },
  }
  return columns.flatMap((column) => (column.key === 'ip1' ? [target] : column.key in Target.shape ? [] : [column]))
}

export function NestedEntries({ list, entries }: { list: EntryList; entries: Entries }) {
  const t = useTexts(historyTexts)
  const language = useLanguage()
  const rows = marked(entries)
  const fields = Object.entries(list.fields).filter(([name]) => !/idx$/i.test(name))
  const hasMarks = rows.some(({ mark }) => mark !== undefined)
  const columns = fields.map(
    ([name, field]): Column => ({
      key: name,
      title: field[language],
      align: field.as === 'bytes' ? 'right' : undefined,
      shortens: name === 'fileName' || undefined,
      isOneLine: field.as === 'moment' || field.values !== undefined || name === 'sha256' || undefined,
      render: ({ entry }) => {
        const words = wordsOf(field, entry[name], language, entry) ?? '-'
        if (name === 'fileName') return <FileName name={words} />
        return name === 'sha256' ? <code title={words}>{`${words.slice(0, 8)}…`}</code> : words
      },
    }),
  )
  const shown = 'ip1' in list.fields ? withTarget(columns, t('target')) : columns
  const change: Column = { key: 'isOld', title: t('change'), width: 96, render: ({ mark }) => t(mark ?? 'same') }
  return (
    <ShortTable
      label={list[language]}
      rows={rows}
      columns={hasMarks ? [...shown, change] : shown}
      rowsPerPage={list.rows}
      markOf={({ mark }) => mark}
    />
  )
}
