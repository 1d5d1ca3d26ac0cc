// docs/database.md names every table, and its diagram shows the foreign keys of the schema. docs/personal-data.md names
// every text about a person. Searched columns have an index. After a migration:
// npx vitest run --project unit tools/database -u
import { globSync } from 'node:fs'
import { expect, test } from 'vitest'
import { read, sources } from './sources.ts'

const ROOT = new URL('..', import.meta.url)
const PAGE = '../docs/database.md'
const page = read('docs/database.md')
const schema = read('server/src/db/schema.sql')
const tables = [...schema.matchAll(/^CREATE TABLE "?(\w+)"? \(\n([\s\S]*?)^\)/gm)].map(
  ([, name = '', columns = '']) => ({
    name,
    columns,
  }),
)

/** Returns the lines of the diagram: one for each foreign key, from the referenced table. */
function relations(): string[] {
  return tables.flatMap(({ name, columns }) =>
    [...columns.matchAll(/FOREIGN KEY \("?(\w+)"?\) REFERENCES "?(\w+)"?\(/g)].map(([, column = '', other = '']) => {
      const isOne = new RegExp(`PRIMARY KEY \\("?${column}"?\\)`).test(columns)
      const canBeEmpty = !new RegExp(`^ {2}"?${column}"? .*NOT NULL`, 'm').test(columns)
      return `  ${other} ${canBeEmpty ? '|o' : '||'}--${isOne ? 'o|' : 'o{'} ${name} : ${column}`
    }),
  )
}

test('the page has a line for every table', () => {
  const named = [...page.matchAll(/^\| `(\w+)` \|/gm)].map(([, name = '']) => name)
  expect(named.toSorted()).toEqual(tables.map(({ name }) => name).toSorted())
})

test('the diagram shows every foreign key', async () => {
  const diagram = ['```mermaid', 'erDiagram', ...relations(), '```'].join('\n')
  const pattern = /(<!-- diagram -->\n)[\s\S]*?(\n<!-- end -->)/
  await expect(
    page.replace(pattern, (_, before: string, after: string) => before + diagram + after),
  ).toMatchFileSnapshot(PAGE)
})

/** Texts of people's tables that say nothing about them. */
const NOT_PERSONAL: Record<string, readonly string[]> = {
  accountReminders: ['reason'],
  configTexts: ['text'],
  history: ['kind'],
  otpCodes: ['purpose'],
  sessions: ['kind', 'endReason'],
  signIns: ['kind'],
  tmpTokens: ['purpose'],
  userImports: ['options', 'fields', 'counts', 'brake', 'refusal', 'groups'],
}

/** Whether the rows of a table belong to a person or name one. */
const isOfPeople = ({ name, columns }: { name: string; columns: string }) =>
  name === 'users' ||
  /REFERENCES users\(|^ {2}"?((user|actor|author|requester|approver)(Idx|Id|Name|Email)|receiver|subject)"? /m.test(
    columns,
  )

test.each(tables.filter(isOfPeople))('the personal data of $name are listed', ({ name, columns }) => {
  const lines = read('docs/personal-data.md').split('\n')
  const line = lines.filter((text) => text.startsWith('|') && text.includes(`\`${name}\``)).join('\n')
  expect(line).not.toBe('')
  const texts = [...columns.matchAll(/^ {2}"?(\w+)"? (?:text|jsonb)\b/gm)].map(([, column = '']) => column)
  const unlisted = texts.filter((column) => !line.includes(`\`${column}\``))
  expect(unlisted.toSorted()).toEqual((NOT_PERSONAL[name] ?? []).toSorted())
})

const FEW_ROWS = 'a table of few rows'
const FEW_VALUES = 'few values: one matches a large part of the rows'
const PERIOD = 'the period of the history limits it'
const DETAILED = 'only in the detailed search, next to texts and a period that have an index'
const OF_ONE_RUN = 'the rows of one import, which an index finds'
/** Searched columns without an index. */
const UNINDEXED: Record<string, string> = {
  'clientVersions.fileName': FEW_ROWS,
  'clientVersions.version': FEW_ROWS,
  'devices.clientVersion': FEW_VALUES,
  'fileEximports.approverId': PERIOD,
  'fileEximports.approverName': DETAILED,
  'fileEximports.requesterGroupName': DETAILED,
  'history.actorGroupName': PERIOD,
  'history.ip': PERIOD,
  'shortcuts.name': FEW_ROWS,
  'shortcuts.target': FEW_ROWS,
  'signIns.clientVersion': FEW_VALUES,
  'userImportRows.email': OF_ONE_RUN,
  'userImportRows.id': OF_ONE_RUN,
  'userImportRows.name': OF_ONE_RUN,
  'userImports.authorName': FEW_ROWS,
  'userImports.fileName': FEW_ROWS,
}

/** The columns that lists compare with a part of a text, from the snapshots of their SQL: `users.name`. */
function searchedColumns(): string[] {
  const statements = globSync('server/src/domains/*/lists.sql.snap', { cwd: ROOT }).flatMap((path) =>
    read(path).split(/^-- /m),
  )
  return statements.flatMap((text) => {
    const [, main = ''] = /^from "(\w+)"/m.exec(text) ?? []
    return [...text.matchAll(/lower\((?:"(\w+)"\.)?"(\w+)"\) like /g)].map(
      ([, table = main, column = '']) => `${table}.${column}`,
    )
  })
}
/** The columns that are also searched for two characters, by an index on their pairs. */
const namesOf = (text: string) => [...text.matchAll(/nameContains\('(\w+\.\w+)'/g)].map(([, column = '']) => column)

/** Whether an index of a table contains an expression of a column. */
const hasIndex = (name: string, expression: (column: string) => string) => {
  const [table = '', column = ''] = name.split('.')
  return schema
    .split('\n')
    .some(
      (line) =>
        new RegExp(`^CREATE INDEX .* ON "?${table}"? USING gin `).test(line) &&
        line.replaceAll('"', '').includes(expression(column)),
    )
}

test('a column that a list searches has an index, or a reason to have none', () => {
  const names = sources().flatMap(({ path, text }) => (path.startsWith('server/src/') ? namesOf(text) : []))
  const unindexed = [
    ...searchedColumns().filter((name) => !hasIndex(name, (column) => `lower(${column}) gin_trgm_ops`)),
    ...names.filter((name) => !hasIndex(name, (column) => `pairs(${column})`)),
  ]
  expect([...new Set(unindexed)].toSorted()).toEqual(Object.keys(UNINDEXED).toSorted())
})
