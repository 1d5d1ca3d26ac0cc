// The selected entry: author, subject, old and new values, and nested entries as short tables (spec S2 §2.6).
import { api } from '@acc/contract'
import type { Field, Fields } from '@acc/contract/history/fields'
import { oldName } from '@acc/contract/history/kind'
import { type DetailedLog, LOGS } from '@acc/contract/history/kinds'
import { ExceptionType } from '@acc/contract/labels/policies'
import { portText, targetText } from '@acc/contract/policyExceptions'
import { Button, Group } from '@mantine/core'
import { IconArrowUpRight } from '@tabler/icons-react'
import { z } from 'zod'
import { useApiQuery } from '../../kit/api/query.ts'
import { BeforeAfter } from '../../kit/layout/BeforeAfter.tsx'
import { FileName } from '../../kit/layout/FileName.tsx'
import { Facts, Pane, Quote, Section } from '../../kit/layout/Page.tsx'
import { QueryState } from '../../kit/layout/QueryState.tsx'
import { useCanOpen, useOpenScreen } from '../../kit/layout/view.ts'
import { type ShortColumn, ShortTable } from '../../kit/table/ShortTable.tsx'
import { StatusDot } from '../../kit/table/StatusDot.tsx'
import { useLanguage, useTexts } from '../../kit/texts/texts.ts'
import { historyTexts } from './history.ts'
import {
  type Entries,
  fieldValue,
  importOf,
  labelOf,
  linkOf,
  type MarkedEntry,
  marked,
  type Target,
  wordsOf,
} from './logs.ts'

type EntryList = { ko: string; en: string; fields: Fields; rows: number }

const ExceptionTarget = z.object({
  type: z.literal(ExceptionType.values),
  ip1: z.string(),
  ip2: z.string(),
  port: z.int(),
})

type Column = ShortColumn<MarkedEntry>

/** Shows description, addresses and port of an exception in one column, so that it fits next to a list. */
function withTarget(columns: readonly Column[], title: string): Column[] {
  return columns.flatMap((column) => {
    if (column.key in ExceptionTarget.shape) return []
    if (column.key !== 'description') return [column]
    const render = ({ entry }: MarkedEntry) => {
      const { data } = ExceptionTarget.safeParse(entry)
      return (
        <>
          <div>{String(entry.description ?? '')}</div>
          <div>{data ? `${targetText(data)} : ${portText(data.port)}` : '-'}</div>
        </>
      )
    }
    return [{ ...column, title: `${column.title} · ${title}`, render }]
  })
}

/** Nested entries, such as the exceptions of a policy: added, removed and unchanged. Empty columns are left out. */
function NestedEntries({ list, entries }: { list: EntryList; entries: Entries }) {
  const t = useTexts(historyTexts)
  const language = useLanguage()
  const rows = marked(entries)
  const hasValue = (name: string) => rows.some(({ entry }) => entry[name] !== null && entry[name] !== undefined)
  const fields = Object.entries(list.fields).filter(([name]) => !/idx$/i.test(name) && hasValue(name))
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
  const change: Column = { key: 'isOld', title: t('change'), isOneLine: true, render: ({ mark }) => t(mark ?? 'same') }
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

type FieldChange = { name: string; field: Field; before: string | null; after: string | null }
/** Free texts, which may be long. */
const QUOTED = ['urgentReason', 'requestPurpose', 'approvePurpose', 'purpose']

/** Returns the fields of an entry with their texts, without empty ones. */
function useShown(fields: Fields, entry: object): FieldChange[] {
  const language = useLanguage()
  return Object.entries(fields).flatMap(([name, field]) => {
    const after = wordsOf(field, fieldValue(entry, name), language, entry)
    const before = name === oldName(name) ? null : wordsOf(field, fieldValue(entry, oldName(name)), language, entry)
    return after === null && before === null ? [] : [{ name, field, before, after }]
  })
}

function Links({ targets }: { targets: readonly { label: string; target: Target | undefined }[] }) {
  const openScreen = useOpenScreen()
  const canOpen = useCanOpen()
  const open = targets.flatMap(({ label, target }) => (target && canOpen(target.screen) ? [{ label, target }] : []))
  if (open.length === 0) return null
  return (
    <Group gap={8} mb={16}>
      {open.map(({ label, target }) => (
        <Button
          key={label}
          variant="default"
          size="compact-sm"
          rightSection={<IconArrowUpRight size={13} />}
          onClick={() => openScreen(target.screen, target.view)}
        >
          {label}
        </Button>
      ))}
    </Group>
  )
}

/** The parts of an entry: action, facts, comparison, nested entries. */
const partsOf = (log: DetailedLog) => {
  const description = LOGS[log]
  if (description.store === 'requests') {
    const { state, idx: _, fileName: __, ...facts } = description.fields
    return { event: ['state', state] as const, facts, compared: {}, lists: description.lists }
  }
  const { facts, compared, lists, head, fields } = description
  const [event = ['', fields.logDT], ...others] = Object.entries<Field>(head)
  return {
    event,
    facts: { logDT: fields.logDT, ...Object.fromEntries(others), ip: fields.ip, ...facts } satisfies Fields,
    compared,
    lists,
  }
}

function Detail({ log, entry }: { log: DetailedLog; entry: object }) {
  const t = useTexts(historyTexts)
  const language = useLanguage()
  const { event, facts, compared, lists } = partsOf(log)
  const [eventName, eventField]: readonly [string, Field] = event
  const shownFacts = useShown(facts, entry)
  const changes = useShown(compared, entry)
  const isUpdate = changes.some(({ before }) => before !== null)
  const label = labelOf(eventField, fieldValue(entry, eventName), entry)
  const title = log === 'fileEximport' ? `#${fieldValue(entry, 'idx')}` : LOGS[log].title[language]
  const tables = Object.entries<EntryList>(lists).flatMap(([name, list]) => {
    const entries = fieldValue(entry, name)
    if (!Array.isArray(entries) || entries.length === 0) return []
    return [
      <Section key={name} title={list[language]}>
        <NestedEntries list={list} entries={entries} />
      </Section>,
    ]
  })
  // Where only the tables changed, they come first: values that are the same do not speak for the entry.
  const isLast = tables.length > 0 && isUpdate && changes.every(({ before, after }) => before === after)
  const values = changes.length > 0 && (
    <Section key="values" title={t(isUpdate && !isLast ? 'changes' : 'values')}>
      {isUpdate ? (
        <BeforeAfter
          isPart={isLast}
          changes={changes.map(({ field, before, after }) => ({ label: field[language], before, after }))}
        />
      ) : (
        <Facts rows={changes.map(({ field, after }) => [field[language], after ?? '-'])} />
      )}
    </Section>
  )
  return (
    <Pane title={title} aside={<StatusDot tone={label?.tone ?? 'accent'}>{label?.[language] ?? ''}</StatusDot>}>
      <Facts
        rows={shownFacts
          .filter(({ name }) => !QUOTED.includes(name))
          .map(({ field, after }) => [field[language], after ?? '-'])}
      />
      <Links
        targets={[
          { label: t('openTarget'), target: linkOf(log, entry, 'target') },
          { label: t('openImport'), target: importOf(entry) },
          { label: t('openActor'), target: linkOf(log, entry, 'actor') },
        ]}
      />
      {isLast ? [tables, values] : [values, tables]}
      {shownFacts
        .filter(({ name }) => QUOTED.includes(name))
        .map(({ name, field, after }) => (
          <Section key={name} title={field[language]}>
            <Quote>{after ?? '-'}</Quote>
          </Section>
        ))}
    </Pane>
  )
}

export function HistoryPane({ log, idx }: { log: DetailedLog; idx: number }) {
  const query = useApiQuery(api.history.find, { log, idx })
  return <QueryState of={query}>{({ entry }) => <Detail log={log} entry={entry} />}</QueryState>
}
