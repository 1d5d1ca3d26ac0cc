// The SQL of every list and of the start of each call, committed in its domain (`lists.sql.snap`), so that a change of
// a query is reviewed as SQL. `npx vitest run --project api db/sql -u` writes it.
import { join } from 'node:path'
import { api } from '@acc/contract'
import { FilterType } from '@acc/contract/core/paging'
import type { Route } from '@acc/contract/core/route'
import { type KyselyPlugin, PostgresQueryCompiler, type QueryId } from 'kysely'
import { expect, test } from 'vitest'
import { ADMIN_PASSWORD, startTestApp } from '../../test/app.ts'
import { buildManager } from '../../test/build/authorities.ts'
import { buildGroups } from '../../test/build/groups.ts'

const { app, admin, anonymous, fetchAs } = await startTestApp()
const { sales } = await buildGroups(app.db, 'sales')
const manager = await buildManager(app.db, {
  groups: [sales],
  ...{ user: 2, policy: 2, log: 1, fileImportApprove: 2, fileExportApprove: 2 },
})

/** Statements by the order in which they were sent: of two at once either may end first. */
const found = new Map<number, string>()
let sent = 0
const compiler = new PostgresQueryCompiler()
/** Collects the statements that are executed; parts of them are transformed, too. */
function collector(): KyselyPlugin {
  const texts = new WeakMap<QueryId, { at: number; text: string }>()
  return {
    transformQuery: ({ node, queryId }) => {
      texts.set(queryId, { at: sent++, text: compiler.compileQuery(node, queryId).sql })
      return node
    },
    transformResult: async ({ result, queryId }) => {
      const { at, text } = texts.get(queryId) ?? { at: sent++, text: '' }
      found.set(at, text)
      return result
    },
  }
}
const { write, sessions, streams } = app.db
const read = app.db.read.withPlugin(collector())
Object.assign(app.db, {
  read,
  replica: { findReaders: async () => ({ read, streams }), reportFailure: () => undefined },
  write: write.withPlugin(collector()),
  sessions: {
    query: (config: { text: string }) => {
      found.set(sent++, config.text)
      return Reflect.apply(sessions.query, sessions, [config])
    },
  },
})
const callers = { administrator: fetchAs(admin), manager: fetchAs(manager) }
for (const call of Object.values(callers)) await call('/Account/Session')

/** A line for each clause, without blanks of the source. */
const laidOut = (text: string) =>
  text
    .replace(/\s+/g, ' ')
    .replace(/ (?=(?:from|where|left join|inner join|union all|order by|limit|offset|select|with|group by) )/g, '\n')
    .trim()

/** Returns the statements of some work that are not among `known`. */
async function sqlOf(work: () => Promise<unknown>, known = new Set<string>()): Promise<string> {
  found.clear()
  await work()
  const inOrder = [...found].sort(([one], [other]) => one - other).map(([, text]) => text)
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
      .map((name) => [name, 'abc']),
  )
}

const lists = Object.entries(api).flatMap(([domain, routes]) =>
  Object.entries<Route>(routes)
    .filter(([, route]) => route.kind === 'list')
    .map(([name, route]) => ({ domain, name, route })),
)
const DOMAINS = [...new Set(lists.map(({ domain }) => domain))]

test.each(DOMAINS)('the lists of %s', async (domain) => {
  const parts: string[] = []
  const known = new Set<string>()
  await sqlOf(() => callers.administrator('/Account/Session'), known)
  const inGroup: Record<string, string> = domain === 'policies' ? { groupIdx: String(sales.idx) } : {}
  for (const { name, route } of lists.filter((one) => one.domain === domain)) {
    const texts = textsOf(route.input)
    const calls = [
      ['administrator', {}],
      ['administrator', texts],
      ['administrator', { ...texts, filterType: FilterType.MULTI }],
      ['manager', {}],
    ] as const
    for (const [who, filter] of calls) {
      const query = new URLSearchParams({ type: '1', ...inGroup, ...stringsOf(filter) })
      const statements = await sqlOf(() => callers[who](`${route.path}?${query}`), known)
      if (statements !== '')
        parts.push(`-- ${name}, ${who}: ${Object.keys(filter).join(', ') || 'everything'}\n${statements}`)
    }
  }
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
