// The SQL of every list and of the start of each call, committed in its domain (`lists.sql.snap`), so that a change of
// a query is reviewed as SQL. `npx vitest run --project api db/sql -u` writes it. `:name` is the text of a filter, `$`
// another parameter; lines that an earlier statement has are shown once.
import { join } from 'node:path'
import { api } from '@acc/contract'
import { FilterType } from '@acc/contract/core/paging'
import type { Route } from '@acc/contract/core/route'
import { ImportSource } from '@acc/contract/labels/userImports'
import { type KyselyPlugin, PostgresQueryCompiler, type QueryId } from 'kysely'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { ADMIN_PASSWORD, startTestApp } from '../../test/app.ts'
import { buildManager } from '../../test/build/authorities.ts'
import { buildGroups } from '../../test/build/groups.ts'
import { textOfCompiled } from './statement.ts'

const { app, admin, anonymous, fetchAs } = await startTestApp()
const { sales } = await buildGroups(app.db, 'sales')
const manager = await buildManager(app.db, {
  groups: [sales],
  ...{ user: 2, policy: 2, log: 1, fileImportApprove: 2, fileExportApprove: 2 },
})

/** Statements by the order in which they were sent: of two at once either may end first. */
const found = new Map<number, string>()
let sent = 0
/** Statements that were compiled before, in the order of their texts: nothing says when they were sent. */
const foundCompiled = new Set<string>()
const compiler = new PostgresQueryCompiler()
/** The text that is searched for in a field. */
const textOf = (name: string) => `[${name}]`
/** Names the parameters of a statement, without numbers that each new one would change. */
const named = (text: string, parameters: readonly unknown[] = []) =>
  text.replace(/\$(\d+)/g, (_, at: string) => {
    const [, name] = /\[(\w+)\]/.exec(String(parameters[Number(at) - 1])) ?? []
    return name === undefined ? '$' : `:${name}`
  })
/** Collects the statements that are executed; parts of them are transformed, too. */
function collector(): KyselyPlugin {
  const texts = new WeakMap<QueryId, { at: number; text: string }>()
  return {
    transformQuery: ({ node, queryId }) => {
      const { sql, parameters } = compiler.compileQuery(node, queryId)
      texts.set(queryId, { at: sent++, text: named(sql, parameters) })
      return node
    },
    transformResult: async ({ result, queryId }) => {
      const compiled = textOfCompiled(queryId)
      if (compiled !== undefined) foundCompiled.add(named(compiled))
      const one = texts.get(queryId)
      if (one !== undefined) found.set(one.at, one.text)
      return result
    },
  }
}
const { write, sessions, streams } = app.db
const run = await write
  .insertInto('userImports')
  .values({
    source: ImportSource.FILE,
    authorIdx: manager.idx,
    fileName: 'people.csv',
    options: '{}',
    startDT: new Date(),
    activeDT: new Date(),
  })
  .returning('idx')
  .executeTakeFirstOrThrow()
const read = app.db.read.withPlugin(collector())
Object.assign(app.db, {
  read,
  replica: { findReaders: async () => ({ read, streams }), reportFailure: () => undefined },
  write: write.withPlugin(collector()),
  sessions: {
    query: (config: { text: string }) => {
      found.set(sent++, named(config.text))
      return Reflect.apply(sessions.query, sessions, [config])
    },
  },
})
const callers = { administrator: fetchAs(admin), manager: fetchAs(manager) }
for (const call of Object.values(callers)) await call('/Account/Session')

/** A line for each clause, column and condition, without blanks of the source. */
const laidOut = (text: string) =>
  text
    .replace(/\s+/g, ' ')
    .replace(/ (?=(?:from|where|left join|inner join|union all|order by|limit|offset|select|with|group by) )/g, '\n')
    .replace(/, (?=(?:"\w+"|\w+)\."\w+")/g, ',\n')
    .replace(/ (?=(?:and|or) (?:lower|"|\())/g, '\n')
    .trim()

type Statement = { title: string; lines: string[] }
/** Lines of a repeated run at least. */
const RUN = 5

/** Returns the longest run of lines, from one on, that an earlier statement has. */
function repeatedRun(lines: readonly string[], from: number, earlier: readonly Statement[]) {
  let longest = { length: 0, title: '' }
  for (const { title, lines: others } of earlier)
    for (const start of others.keys()) {
      let length = 0
      while (from + length < lines.length && lines[from + length] === others[start + length]) length++
      if (length > longest.length) longest = { length, title }
    }
  return longest
}

/** Shows the first and the last line of each run that an earlier statement has. */
function shortened({ lines }: Statement, earlier: readonly Statement[]): string[] {
  const shown: string[] = []
  for (let at = 0; at < lines.length; at++) {
    const { length, title } = repeatedRun(lines, at, earlier)
    shown.push(lines[at] ?? '')
    if (length < RUN) continue
    shown.push(`... as in ${title}`)
    at += length - 2
  }
  return shown
}

/** Returns the statements of some work that are not among `known`. */
async function sqlOf(work: () => Promise<unknown>, known = new Set<string>()): Promise<string> {
  found.clear()
  foundCompiled.clear()
  await work()
  const inOrder = [
    ...[...foundCompiled].sort(),
    ...[...found].sort(([one], [other]) => one - other).map(([, text]) => text),
  ]
  const fresh = inOrder.filter((text) => !known.has(text))
  for (const text of fresh) known.add(text)
  return fresh.map(laidOut).join('\n\n')
}

const stringsOf = (values: object) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]))

/** The fields of a filter that are texts, each with a text that an index finds. */
function textsOf(input: Route['input']): Record<string, string> {
  const shape =
    'shape' in input ? (input.shape as Record<string, { safeParse(value: unknown): { success: boolean } }>) : {}
  const isText = (name: string) =>
    !/DT$|^log|sort|Idx/.test(name) &&
    [1, '1'].every((value) => shape[name]?.safeParse('abc').success === true && value !== '')
  return Object.fromEntries(
    Object.keys(shape)
      .filter(isText)
      .map((name) => [name, textOf(name)]),
  )
}

/** Requests of one direction, or events of one type, where a list takes it. */
const typeOf = ({ input }: Route): Record<string, string> =>
  'type' in input.shape && z.safeParse(z.object(input.shape).shape.type as z.ZodType, 1).success ? { type: '1' } : {}

const lists = Object.entries(api).flatMap(([domain, routes]) =>
  Object.entries<Route>(routes)
    .filter(([, { kind, access }]) => kind === 'list' && access !== 'agent')
    .map(([name, route]) => ({ domain, name, route })),
)
const DOMAINS = [...new Set(lists.map(({ domain }) => domain))]

test.each(DOMAINS)('the lists of %s', async (domain) => {
  const statements: Statement[] = []
  const known = new Set<string>()
  await sqlOf(() => callers.administrator('/Account/Session'), known)
  const inGroup: Record<string, string> = domain === 'policies' ? { groupIdx: String(sales.idx) } : {}
  const ofRun = (name: string): Record<string, string> => (name === 'searchRows' ? { importIdx: String(run.idx) } : {})
  for (const { name, route } of lists.filter((one) => one.domain === domain)) {
    const texts = textsOf(route.input)
    const calls = [
      ['all rows', 'administrator', {}],
      ['with texts', 'administrator', texts],
      ['with each of the texts', 'administrator', { ...texts, filterType: FilterType.MULTI }],
      ['by a manager', 'manager', {}],
    ] as const
    for (const [what, who, filter] of calls) {
      if (who === 'manager' && route.access === 'admin') continue
      const query = new URLSearchParams({ ...typeOf(route), ...inGroup, ...ofRun(name), ...stringsOf(filter) })
      const call = async () => {
        const answer = await callers[who](`${route.path}?${query}`)
        const { errorCode }: { errorCode: number } = await answer.json()
        expect(errorCode, `${name} of ${who}`).toBe(0)
      }
      const text = await sqlOf(call, known)
      if (text !== '') statements.push({ title: `${name}, ${what}`, lines: text.split('\n') })
    }
  }
  const parts = statements.map((one, at) => `-- ${one.title}\n${shortened(one, statements.slice(0, at)).join('\n')}`)
  await expect(`${parts.join('\n\n\n')}\n`).toMatchFileSnapshot(
    join(import.meta.dirname, '../domains', domain, 'lists.sql.snap'),
  )
})

test('a sign-in, and what each call begins with', async () => {
  const signIn = await sqlOf(() => anonymous.session.login({ id: admin.id, pw: ADMIN_PASSWORD }))
  await expect(`-- a sign-in\n${signIn}\n`).toMatchFileSnapshot(
    join(import.meta.dirname, '../domains/session/signIn.sql.snap'),
  )
})
