// docs/database.md names every table, and its diagram shows the foreign keys of the schema. After a migration:
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
