// Kills the server at random moments while it imports people, and compares the people with the files.
import { setTimeout as wait } from 'node:timers/promises'
import { ImportState } from '@acc/contract/labels/userImports'
import type { Database } from '@acc/server/src/db/open.ts'
import { sql } from 'kysely'
import { check, note } from './checks.ts'
import { type Drill, until } from './drill.ts'
import { type Node, openNode, signIn, withDatabase } from './servers.ts'

/** People of a file: eight blocks. */
const PEOPLE = 4_000
/** Kills during a file, each at most so many milliseconds after the upload or the start of a server. */
const [KILLS, LONGEST] = [5, 1_000]
/** Seconds within which a file is applied. */
const PATIENCE = 300

type Person = { id: string; name: string; email: string }
type File = { idx: number; people: readonly Person[] }
type Run = { idx: number; state: number; counts: Record<string, number> }

const HEADER = 'id,name,email,group'
const csvOf = (people: readonly Person[], group: string) =>
  [HEADER, ...people.map(({ id, name, email }) => `${id},${name},${email},${group}`)].join('\r\n')

/** The calls of the administrator. They fail while the server is away. */
function callsOf(node: Node, cookie: string) {
  const send = async (path: string, init: RequestInit = {}): Promise<Run> => {
    const headers = { cookie, 'x-requested-with': 'XMLHttpRequest', ...init.headers }
    const response = await fetch(node.url + path, { ...init, headers })
    const { errorCode, data } = (await response.json()) as { errorCode: number; data: Run }
    if (errorCode !== 0) throw new Error(`${path}: ${errorCode}`)
    return data
  }
  return {
    upload: (people: readonly Person[], group: string) => {
      const body = new FormData()
      body.append('file', new Blob([csvOf(people, group)]), 'people.csv')
      return send('/Users/Import', { method: 'POST', body })
    },
    find: (idx: number) => send(`/Users/Import?idx=${idx}`),
    apply: (idx: number) =>
      send('/Users/Import/Apply', {
        method: 'POST',
        body: JSON.stringify({ idx }),
        headers: { 'content-type': 'application/json' },
      }),
  }
}
type Calls = ReturnType<typeof callsOf>

/** Finds the open run: the upload that opened it may have lost its answer. */
const findOpen = (db: Database) =>
  db.read.selectFrom('userImports').select(['idx', 'state']).where('state', '<', ImportState.DONE).executeTakeFirst()

/** Brings a file to its end, however often the server is gone. Returns the number of its run. */
async function importFile(
  { upload, find, apply }: Calls,
  node: Node,
  people: readonly Person[],
  group: string,
): Promise<number> {
  let idx = 0
  await until(
    'a file is applied',
    async () => {
      if (idx === 0) {
        const open = await withDatabase(node.dataDir, findOpen)
        idx = (open ?? (await upload(people, group))).idx
      }
      const { state } = await find(idx)
      if (state === ImportState.PLANNED) await apply(idx)
      return state === ImportState.DONE
    },
    PATIENCE,
  )
  return idx
}

/** Kills the server some times until a file is applied. Returns the states of the run that it met. */
async function killSome(node: Node, isOver: () => boolean): Promise<(number | undefined)[]> {
  const met: (number | undefined)[] = []
  while (met.length < KILLS && !isOver()) {
    await wait(Math.random() * LONGEST)
    met.push((await withDatabase(node.dataDir, findOpen))?.state)
    await node.running.kill('SIGKILL')
    await node.start()
  }
  return met
}

/** Imports a file while the server is killed. Returns its run, and the states that the kills met. */
async function importKilled(calls: Calls, node: Node, people: readonly Person[], group: string) {
  let isOver = false
  const importing = importFile(calls, node, people, group).finally(() => {
    isOver = true
  })
  const [idx, met] = await Promise.all([importing, killSome(node, () => isOver)])
  return { file: { idx, people }, met }
}

/** Checks that people are as in their last file. */
async function comparePeople(db: Database, { idx, people }: File): Promise<void> {
  const stored = await db.read
    .selectFrom('users')
    .select(['id', 'name', 'email'])
    .where('importSource', '=', 0)
    .execute()
  const byId = new Map(stored.map((person) => [person.id, person]))
  const wrong = people.filter(({ id, name, email }) => byId.get(id)?.name !== name || byId.get(id)?.email !== email)
  check(wrong.length === 0, `run ${idx}: of ${people.length} people of the file ${wrong.length} are not as in the file`)
}

/** Checks history and numbers of a run against its file. */
async function compareRun(db: Database, { idx, people }: File, counted: 'createCount' | 'updateCount'): Promise<void> {
  const logged = await sql<{ subject: string; count: number }>`
    select subject, count(*)::int as count from history
    where kind = 'userManage' and (detail ->> 'importIdx')::bigint = ${idx} group by 1`.execute(db.write)
  const isOnce = logged.rows.length === people.length && logged.rows.every(({ count }) => count === 1)
  check(isOnce, `run ${idx}: each person has one row of history`)
  const runs = await db.read
    .selectFrom('history')
    .select('detail')
    .where('kind', '=', 'userImport')
    .where('subjectIdx', '=', idx)
    .execute()
  const detail = runs[0]?.detail as
    | { createCount: number; updateCount: number; skipCount: number; failCount: number }
    | undefined
  const isCounted = detail?.[counted] === people.length && detail.skipCount + detail.failCount === 0
  check(runs.length === 1 && isCounted, `run ${idx}: one row of history, with ${people.length} people`)
}

/** Checks that each old address got one mail about its replacement. */
async function compareMails(db: Database, before: readonly Person[]): Promise<void> {
  const { rows } = await sql<{ receiver: string; count: number }>`
    select receiver, count(*)::int as count from mails where receiver like 'old.%' group by 1`.execute(db.write)
  const isOnce = rows.length === before.length && rows.every(({ count }) => count === 1)
  check(isOnce, `${before.length} old addresses have one mail each`)
}

export async function drillKilledImports(drill: Drill, argument = '50'): Promise<void> {
  const times = Number(argument)
  const node = await openNode(drill, 1)
  const calls = callsOf(node, await signIn(node.url))
  const group = await withDatabase(node.dataDir, ({ read }) =>
    read.selectFrom('groups').select('name').where('parentIdx', 'is', null).executeTakeFirstOrThrow(),
  )
  const created: File[] = []
  const changed: File[] = []
  const met: (number | undefined)[] = []
  for (let round = 0; met.length < times; round++) {
    const people = Array.from({ length: PEOPLE }, (_, at) => {
      return { id: `person-${round}-${at}`, name: `사람 ${at}`, email: `old.${round}.${at}@example.com` }
    })
    const others = people.map(({ id, name, email }) => ({ id, name: `${name} 2`, email: email.replace('old', 'new') }))
    for (const [files, content] of [
      [created, people],
      [changed, others],
    ] as const) {
      const { file, met: states } = await importKilled(calls, node, content, group.name)
      files.push(file)
      met.push(...states)
    }
  }
  const during = (state: number) => met.filter((one) => one === state).length
  note(
    `${met.length} kills during ${created.length + changed.length} files: ${during(ImportState.PLANNING)} of a plan, ${during(ImportState.APPLYING)} while it was applied, others during an upload or between`,
  )
  await withDatabase(node.dataDir, async (db) => {
    for (const file of created) await compareRun(db, file, 'createCount')
    for (const file of changed) {
      await compareRun(db, file, 'updateCount')
      await comparePeople(db, file)
    }
    await compareMails(
      db,
      created.flatMap(({ people }) => people),
    )
  })
}
