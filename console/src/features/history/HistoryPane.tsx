// The selected entry: author, subject, old and new values, and nested entries as short tables.
import { api } from '@acc/contract'
import type { Field, Fields } from '@acc/contract/history/fields'
import { oldName } from '@acc/contract/history/kind'
import { type DetailedLog, LOGS } from '@acc/contract/history/kinds'
import { Button } from '@mantine/core'
import { IconArrowUpRight } from '@tabler/icons-react'
import { useApiQuery } from '../../kit/api/query.ts'
import { useViewer } from '../../kit/api/viewer.ts'
import { BeforeAfter } from '../../kit/layout/BeforeAfter.tsx'
import { FileName } from '../../kit/layout/FileName.tsx'
import { Facts, Pane, Quote, Section } from '../../kit/layout/Page.tsx'
import { QueryState } from '../../kit/layout/QueryState.tsx'
import { useOpenScreen } from '../../kit/layout/view.ts'
import { ShortTable } from '../../kit/table/ShortTable.tsx'
import { StatusDot } from '../../kit/table/StatusDot.tsx'
import { useLanguage, useTexts } from '../../kit/texts/texts.ts'
import css from './History.module.css'
import { historyTexts } from './history.texts.ts'
import { actorOf, fieldValue, type Target, targetOf, wordsOf } from './logs.ts'

type Shown = { name: string; field: Field; before: string | null; after: string | null }
/** Free texts, which may be long. */
const QUOTED = ['requestPurpose', 'approvePurpose', 'purpose']

/** Returns the fields of an entry with their texts, without empty ones. */
function useShown(fields: Fields, entry: object): Shown[] {
  const language = useLanguage()
  return Object.entries(fields).flatMap(([name, field]) => {
    const after = wordsOf(field, fieldValue(entry, name), language)
    const before = name === oldName(name) ? null : wordsOf(field, fieldValue(entry, oldName(name)), language)
    return after === null && before === null ? [] : [{ name, field, before, after }]
  })
}

type Entries = readonly Record<string, unknown>[]
/** What an entry says: a copy of a policy has other rows with the same contents. */
const markKey = ({ isOld: _, idx: __, ...values }: Record<string, unknown>) =>
  JSON.stringify(Object.entries(values).sort())

/** Merges old and new entries: only new means added, only old removed, both unchanged (spec S2 §2.6). */
function marked(entries: Entries) {
  const news = new Set(entries.filter(({ isOld }) => isOld !== 1).map(markKey))
  const olds = new Set(entries.filter(({ isOld }) => isOld === 1).map(markKey))
  const markOf = (entry: Record<string, unknown>) => {
    if (entry.isOld === undefined) return undefined
    const key = markKey(entry)
    return news.has(key) && olds.has(key) ? 'same' : entry.isOld === 1 ? 'removed' : 'added'
  }
  return entries
    .map((entry) => ({ entry, mark: markOf(entry) }) as const)
    .filter(({ entry, mark }) => mark !== 'same' || entry.isOld === 1)
}

type List = { ko: string; en: string; fields: Fields; rows: number }

function Nested({ list, entries }: { list: List; entries: Entries }) {
  const t = useTexts(historyTexts)
  const language = useLanguage()
  const rows = marked(entries)
  const fields = Object.entries(list.fields).filter(([name]) => !/idx$/i.test(name))
  const hasMarks = rows.some(({ mark }) => mark !== undefined)
  const columns = fields.map(([name, field]) => ({
    key: name,
    title: field[language],
    ...(field.as === 'bytes' && { align: 'right' as const }),
    render: ({ entry }: (typeof rows)[number]) => {
      const words = wordsOf(field, entry[name], language) ?? '-'
      if (name === 'fileName') return <FileName name={words} />
      return name === 'sha256' ? <code title={words}>{`${words.slice(0, 8)}…`}</code> : words
    },
  }))
  const change = { key: 'isOld', title: t('change'), render: ({ mark }: (typeof rows)[number]) => t(mark ?? 'same') }
  return (
    <ShortTable
      label={list[language]}
      rows={rows}
      columns={hasMarks ? [...columns, change] : columns}
      rowsPerPage={list.rows}
      markOf={({ mark }) => mark}
    />
  )
}

function Links({ targets }: { targets: readonly { label: string; target: Target | undefined }[] }) {
  const openScreen = useOpenScreen()
  const open = targets.flatMap(({ label, target }) => (target ? [{ label, target }] : []))
  if (open.length === 0) return null
  return (
    <div className={css.links}>
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
    </div>
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
  const { type, ...actor } = head
  return {
    event: ['type', type] as const,
    facts: { logDT: fields.logDT, ...actor, ip: fields.ip, ...facts } satisfies Fields,
    compared,
    lists,
  }
}

function Detail({ log, entry }: { log: DetailedLog; entry: object }) {
  const t = useTexts(historyTexts)
  const language = useLanguage()
  const viewer = useViewer()
  const { event, facts, compared, lists } = partsOf(log)
  const [eventName, eventField]: readonly [string, Field] = event
  const told = useShown(facts, entry)
  const changes = useShown(compared, entry)
  const isUpdate = changes.some(({ before }) => before !== null)
  const words = wordsOf(eventField, fieldValue(entry, eventName), language) ?? ''
  const tone = eventField.values?.[Number(fieldValue(entry, eventName))]?.tone ?? 'accent'
  const title = log === 'fileEximport' ? `#${fieldValue(entry, 'idx')}` : LOGS[log].title[language]
  return (
    <Pane title={title} aside={<StatusDot tone={tone}>{words}</StatusDot>}>
      <Facts
        rows={told
          .filter(({ name }) => !QUOTED.includes(name))
          .map(({ field, after }) => [field[language], after ?? '-'])}
      />
      <Links
        targets={[
          { label: t('openTarget'), target: targetOf(log, entry, viewer) },
          { label: t('openActor'), target: actorOf(entry, viewer) },
        ]}
      />
      {changes.length > 0 && (
        <Section title={t(isUpdate ? 'changes' : 'values')}>
          {isUpdate ? (
            <BeforeAfter
              changes={changes
                .map(({ field, before, after }) => ({ label: field[language], before, after }))
                .sort((a, b) => Number(a.before === a.after) - Number(b.before === b.after))}
            />
          ) : (
            <Facts rows={changes.map(({ field, after }) => [field[language], after ?? '-'])} />
          )}
        </Section>
      )}
      {Object.entries<List>(lists).map(([name, list]) => {
        const entries = fieldValue(entry, name)
        return Array.isArray(entries) && entries.length > 0 ? (
          <Section key={name} title={list[language]}>
            <Nested list={list} entries={entries} />
          </Section>
        ) : null
      })}
      {told
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
