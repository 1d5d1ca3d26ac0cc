// The rule that lets two versions serve on one database: a migration expands, or removes only what has been unused
// since the version of the migration that its name says (docs/decisions/24-upgrade.md).
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { blockingIndexesOf, contractionsOf } from '../../test/upgrade/contractions.ts'
import LANDED from '../../test/upgrade/landed.json' with { type: 'json' }
import { contractedBy, findNewer } from './migrate.ts'

const FOLDER = join(import.meta.dirname, 'migrations')
const names = readdirSync(FOLDER).map((file) => file.replace(/\.sql$/, ''))
/** The schema of 1.0.0, which nothing precedes. */
const FIRST = '0001'
/** The last migration of the newest version that customers may have. */
const lastLanded = LANDED.at(-1)?.migration ?? ''

test('a migration removes nothing that the version before uses', () => {
  const wrong = names
    .filter((name) => name.slice(0, 4) > FIRST && contractedBy(name) === undefined)
    .flatMap((name) =>
      contractionsOf(readFileSync(join(FOLDER, `${name}.sql`), 'utf8')).map((line) => `${name}: ${line}`),
    )
  expect(wrong, 'expand now, and remove one version later in NNNN_contractsMMMM_name.sql (CONTRIBUTING.md)').toEqual([])
})

test('a migration that removes something names one of a version that landed', () => {
  const wrong = names.filter((name) => {
    const expanding = contractedBy(name)
    return (
      expanding !== undefined &&
      !(expanding <= lastLanded.slice(0, 4) && names.some((one) => one.startsWith(`${expanding}_`)))
    )
  })
  expect(wrong).toEqual([])
})

test('a migration makes no index of a table with rows', () => {
  const wrong = names
    .filter((name) => name.slice(0, 4) > FIRST)
    .flatMap((name) => blockingIndexesOf(readFileSync(join(FOLDER, `${name}.sql`), 'utf8')))
  expect(wrong, 'writes would wait for it: add it to server/src/db/indexes.ts (CONTRIBUTING.md)').toEqual([])
})

test.each([
  ['create index "usersKey" on users (key)', 1],
  ['create table a (b text); create index c on a (b); create index on history using gin (d)', 1],
  ['create index if not exists "x" on "fileEximports" (a) where b is null', 1],
  ['create table a (b text); create index c on a (b)', 0],
  ["insert into settings values ('create index a on users (b)')", 0],
])('%s: %i', (text, count) => {
  expect(blockingIndexesOf(text)).toHaveLength(count)
})

const KNOWN = ['0001_a', '0002_b']
test.each<[string[], string[]]>([
  [[], []],
  [['0001_a'], []],
  [KNOWN, []],
  [[...KNOWN, '0003_c'], ['0003_c']],
  // What it removes is what nothing has used since 0002.
  [[...KNOWN, '0003_contracts0002_c'], ['0003_contracts0002_c']],
])('on a database with %j this version serves', (executed, newer) => {
  expect(findNewer(KNOWN, executed)).toEqual(newer)
})

test.each([
  [
    [...KNOWN, '0003_c', '0004_contracts0003_d'],
    'A newer version removed from the database what this one uses (0004_contracts0003_d)',
  ],
  [['0001_a', '0002_other'], 'The database has 0002_other, which this version does not know, and lacks 0002_b'],
])('on a database with %j it does not start', (executed, reason) => {
  expect(() => findNewer(KNOWN, executed)).toThrow(reason)
})

test.each([
  ['alter table users drop column "oldKey";', 'drop column'],
  ['drop table users', 'drop table'],
  ['drop function pairs(text);', 'drop function'],
  ['ALTER TABLE users RENAME COLUMN a TO b', 'rename'],
  ['alter table users alter column a type bigint', 'alter column ... type'],
  ['alter table users alter a set not null', 'set not null'],
  ['alter table users alter a drop default', 'drop default'],
  ['alter table users add column a text not null', 'add column ... not null without default'],
  [
    'alter table users add column a text, add b int not null check (b > 0), add c int default 0',
    'add column ... not null without default',
  ],
  ['alter table users add constraint x check (a > 0)', 'add constraint'],
  ['create unique index "usersKey" on users (key)', 'create unique index'],
  ['truncate users', 'truncate'],
  ['delete from "tmpTokens"', 'delete'],
  ['revoke update on users from acc', 'revoke'],
])('%s is for a later version', (text, name) => {
  expect(contractionsOf(text)).toEqual([expect.stringContaining(name)])
})

test.each([
  '-- drop table users;\nselect 1',
  "insert into settings values ('drop table')",
  "create table a (b text not null, check (b <> '')); create unique index c on a (b);",
  'create function f() returns trigger language plpgsql as $$ begin delete from users; return null; end $$',
  'alter table users add column a text, add b int not null default 0, add column c int generated always as (1) stored not null',
  'drop index "usersKey"; create index "usersKey" on users (key)',
  'alter table users drop constraint x; alter table users add constraint x check (a in (0, 1))',
  'alter table users add column b int default 1; alter table users add constraint x check (a = 0 or b = 1) not valid',
  'alter table users alter a set default 1; alter table users alter column a drop not null',
])('%s may be done at once', (text) => {
  expect(contractionsOf(text)).toEqual([])
})
