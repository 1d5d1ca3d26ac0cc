// docs/database.md names every table, and its diagram shows the foreign keys of the schema. docs/personal-data.md names
// every text about a person. After a migration:
// npx vitest run --project unit tools/database -u
import { expect, test } from 'vitest'
import { read } from './sources.ts'

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
}

/** Whether the rows of a table belong to a person or name one. */
const isOfPeople = ({ name, columns }: { name: string; columns: string }) =>
  name === 'users' ||
  /REFERENCES users\(|^ {2}"?((user|actor|requester|approver)(Idx|Id|Name|Email)|receiver|subject)"? /m.test(columns)

test.each(tables.filter(isOfPeople))('the personal data of $name are listed', ({ name, columns }) => {
  const lines = read('docs/personal-data.md').split('\n')
  const line = lines.filter((text) => text.startsWith('|') && text.includes(`\`${name}\``)).join('\n')
  expect(line).not.toBe('')
  const texts = [...columns.matchAll(/^ {2}"?(\w+)"? (?:text|jsonb)\b/gm)].map(([, column = '']) => column)
  const unlisted = texts.filter((column) => !line.includes(`\`${column}\``))
  expect(unlisted.toSorted()).toEqual((NOT_PERSONAL[name] ?? []).toSorted())
})
