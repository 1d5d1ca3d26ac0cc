// What a row says in one sentence: its first change and the number of others, or what it created, moved or removed.
import type { Field, Fields, Lists } from '@acc/contract/history/fields'
import { oldName } from '@acc/contract/history/kind'
import { LOGS, type LogName } from '@acc/contract/history/kinds'
import type { Language } from '../../kit/texts/translate.ts'
import { fieldValue, marked, wordsOf } from './logs.ts'

/** What rows without old values tell: of creations, deletions and of a policy that now applies. */
const TELLING: Partial<Record<LogName, readonly string[]>> = {
  groupManage: ['parentName', 'movedGroups', 'userCount', 'requestCount', 'authorityCount'],
  policyManage: ['diffOwnerName'],
  userManage: ['targetGroupName', 'targetEmail', 'substituteName', 'absenceEndDT'],
  authManage: ['targetDescription'],
  bimManage: ['targetDescription'],
  settingManage: ['targetValue'],
}

/** Whether a row compares values: creations and deletions have no old ones. */
const isUpdate = (compared: Fields, row: object): boolean =>
  Object.keys(compared).some((name) => (fieldValue(row, oldName(name)) ?? null) !== null)

/** Some values contain an arrow themselves. */
const inQuotes = (words: string) => (words.includes('→') ? `‘${words}’` : words)

function changesOf(compared: Fields, row: object, language: Language): string[] {
  if (!isUpdate(compared, row)) return []
  return Object.entries(compared).flatMap(([name, field]) => {
    const [before, after] = [oldName(name), name].map((one) => wordsOf(field, fieldValue(row, one), language, row))
    return before === after ? [] : [`${field[language]}: ${inQuotes(before ?? '-')} → ${inQuotes(after ?? '-')}`]
  })
}

/** Added and removed entries: `Web shortcuts +2 −1`. */
const entriesOf = (lists: Lists, row: object, language: Language): string[] =>
  Object.entries(lists).flatMap(([name, list]) => {
    const entries = fieldValue(row, name)
    const marks = Array.isArray(entries) ? marked(entries).map(({ mark }) => mark) : []
    const [added, removed] = (['added', 'removed'] as const).map((mark) => marks.filter((one) => one === mark).length)
    const counts = [added && `+${added}`, removed && `−${removed}`].filter(Boolean)
    return counts.length === 0 ? [] : [`${list[language]} ${counts.join(' ')}`]
  })

const factsOf = (names: readonly string[], fields: Fields, row: object, language: Language): string[] =>
  names.flatMap((name) => {
    const field: Field | undefined = fields[name]
    const value = fieldValue(row, name)
    const words = field && value !== 0 ? wordsOf(field, value, language, row) : null
    return field === undefined || words === null ? [] : [`${field[language]}: ${words}`]
  })

/** Returns the parts of a row's sentence, the most important first; none where its columns say everything. */
export function tellingOf(log: LogName, row: object, language: Language): string[] {
  const { fields, compared = {}, lists = {} }: { fields: Fields; compared?: Fields; lists?: Lists } = LOGS[log]
  const changes = [...changesOf(compared, row, language), ...entriesOf(lists, row, language)]
  if (changes.length > 0) return changes
  // An update that changed nothing visible says nothing by the values that it repeats.
  const names = (TELLING[log] ?? []).filter((name) => !(name in compared && isUpdate(compared, row)))
  return factsOf(names, fields, row, language)
}
