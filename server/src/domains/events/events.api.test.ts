// Live events over a real stream: who receives which events, and how streams end.
import { TOPICS } from '@acc/contract/core/topics'
import type { LiveEvent } from '@acc/contract/events'
import { Role } from '@acc/contract/labels/access'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../test/app.ts'
import { buildAbsence } from '../../../test/build/absences.ts'
import { buildAuthority, buildManager } from '../../../test/build/authorities.ts'
import { buildGroups } from '../../../test/build/groups.ts'
import { openExports } from '../../../test/build/policies.ts'
import { buildRequest } from '../../../test/build/requests.ts'
import { buildUser } from '../../../test/build/users.ts'
import { minutes } from '../../clock.ts'
import { notify } from '../../core/change.ts'
import { type Database, openDatabase } from '../../db/open.ts'
import { type EventHub, openEventHub } from '../../events/eventHub.ts'
import { followAbsences } from '../absences/absences.jobs.ts'
import { endSessionsOf } from '../session/session.service.ts'
import { followEvents } from './events.service.ts'

const testApp = await startTestApp()
const { app, as, admin, anonymous, clock, http, owner } = testApp
const { db } = app
const { sales, east, rnd } = await buildGroups(db, 'sales', 'sales/east', 'rnd')

type Event = Parameters<typeof notify>[1]
const announce = (...events: Event[]) =>
  db.write.transaction().execute(async (tx) => {
    for (const event of events) await notify(tx, event)
  })

/** A topic that nothing else announces here. */
const MARK = 'bimConnections'

/** Opens a stream; `received` reads events until one of the topic arrives. */
async function listen(user: { idx: number }, calls = as(user)) {
  const stop = new AbortController()
  const response = await calls.events.stream({}, { signal: stop.signal, timeout: 0 })
  expect(response.headers.get('content-type')).toBe('text/event-stream')
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  const events: LiveEvent[] = []
  let text = ''
  /** Reads one chunk; returns false at the end of the stream. */
  async function read(): Promise<boolean> {
    const { value, done } = (await reader?.read()) ?? { done: true }
    text += value ?? ''
    const lines = text.split('\n\n')
    text = lines.pop() ?? ''
    for (const line of lines) if (line.startsWith('data: ')) events.push(JSON.parse(line.slice(6)) as LiveEvent)
    return !done
  }
  await read()
  return {
    /** Returns the events that arrive before one that every viewer receives. */
    async received(): Promise<LiveEvent[]> {
      await announce({ topic: MARK, userIdx: user.idx })
      while (!events.some(({ topic }) => topic === MARK) && (await read()));
      return events.splice(0).filter(({ topic }) => topic !== 'session' && topic !== MARK)
    },
    /** Reads everything until the server ends the stream. */
    async toEnd(): Promise<LiveEvent[]> {
      while (await read());
      return events
    },
    close: () => stop.abort(),
  }
}
const requests = (idx: number, group: { idx: number }) => ({ topic: 'requests' as const, idx, groupIdx: group.idx })

test('an import is announced to its author and to administrators', async () => {
  const author = await buildManager(db, { groups: [sales], user: 2 })
  const [own, other] = [await listen(author), await listen(await buildManager(db, { groups: [sales], user: 2 }))]
  const administrator = await listen(admin)
  await announce({ topic: 'userImports', idx: 7 }, { topic: 'userImports', idx: 7, userIdx: author.idx })
  expect(await own.received()).toEqual([{ topic: 'userImports', idx: null, groupIdx: null }])
  expect(await other.received()).toEqual([])
  expect(await administrator.received()).toContainEqual({ topic: 'userImports', idx: 7, groupIdx: null })
  for (const { close } of [own, other, administrator]) close()
})

test('managers receive events of their groups and pages, administrators all, others none', async () => {
  const manager = await listen(await buildManager(db, { groups: [sales], fileExportApprove: 1, policy: 1 }))
  const elsewhere = await listen(await buildManager(db, { groups: [rnd], fileExportApprove: 1, log: 1 }))
  const user = await listen(await buildUser(db, { group: sales }))
  const administrator = await listen(admin)
  const all: Event[] = [
    requests(1, east),
    requests(2, rnd),
    { topic: 'users', idx: 3, groupIdx: east.idx },
    { topic: 'groups', idx: east.idx, groupIdx: east.idx },
    { topic: 'mails', idx: 4, groupIdx: null },
    { topic: 'authorities', idx: 5, groupIdx: null },
    { topic: 'shortcuts', idx: 7, groupIdx: null },
    { topic: 'requests', idx: 6, groupIdx: null },
  ]
  await announce(...all)
  // A node of another version may announce topics that this one does not know.
  await sql`select pg_notify('acc', '{"topic": "nonsense", "idx": 1}')`.execute(db.write)
  // A suspension stops the requests of a person, which approvers see.
  expect(await manager.received()).toEqual([all[0], all[2], all[3], all[6]])
  expect(await elsewhere.received()).toEqual([all[1]])
  expect(await user.received()).toEqual([])
  expect(await administrator.received()).toEqual(all)
})

test('a substitute receives events of requests as long as the absence lasts, and of nothing else', async () => {
  const absent = await buildManager(db, { groups: [sales], fileExportApprove: 2, policy: 1, log: 1 })
  const substitute = await buildManager(db, { groups: [rnd], fileExportApprove: 2, policy: 1, log: 1 })
  const stream = await listen(substitute)
  await announce(requests(1, east))
  expect(await stream.received()).toEqual([])
  const day = new Date().toISOString().slice(0, 10)
  const input = { substituteIdx: substitute.idx, startDay: day, endDay: day, reason: 'leave' }
  const { idx } = await as(absent).absences.create(input)
  const changed = { topic: 'requests', idx: null, groupIdx: null }
  expect(await stream.received()).toEqual([changed])
  await announce(
    requests(2, east),
    { topic: 'groups', idx: 3, groupIdx: rnd.idx },
    { topic: 'signIns', groupIdx: east.idx },
  )
  expect(await stream.received()).toEqual([requests(2, east), { topic: 'groups', idx: 3, groupIdx: rnd.idx }])
  await as(absent).absences.end({ idx })
  await announce(requests(4, east))
  expect(await stream.received()).toEqual([changed])
  // One that begins and ends by itself is announced by a job.
  await buildAbsence(db, absent, substitute)
  await db.write.updateTable('absences').set({ isAnnounced: false }).execute()
  await followAbsences(app)
  await announce(requests(5, east))
  expect(await stream.received()).toEqual([changed, requests(5, east)])
  await as(admin).users.setDisabled({ idx: absent.idx, state: 2 })
  await followAbsences(app)
  await announce(requests(6, east))
  expect((await stream.received()).filter(({ topic }) => topic === 'requests')).toEqual([changed])
  await followAbsences(app)
  expect(await stream.received()).toEqual([])
  stream.close()
})

test('every viewer of a request receives its decision', async () => {
  const employee = await buildUser(db, { group: east })
  const approver = await buildManager(db, { groups: [sales], fileExportApprove: 2 })
  const stream = await listen(approver)
  const { idx } = await buildRequest(app, employee)
  await openExports(db)
  await as(approver).requests.decide({ idx, state: 1 })
  expect(await stream.received()).toEqual([requests(idx, east)])
})

test('a change of the own password is announced, since the list shows whether it is temporary', async () => {
  const employee = await buildUser(db, { group: east, password: 'Qa9!zebra-Lm' })
  const stream = await listen(admin)
  await anonymous.account.changePw({ id: employee.id, pw: 'Qa9!zebra-Lm', newPw: 'Nb7#violet-Kp' })
  expect(await stream.received()).toContainEqual({ topic: 'users', idx: employee.idx, groupIdx: east.idx })
  stream.close()
})

test("events follow the viewer's coverage: created and deleted groups, granted and revoked authorities", async () => {
  const manager = await buildManager(db, { groups: [sales], fileExportApprove: 1, policy: 1 })
  const stream = await listen(manager)
  await announce(requests(1, east))
  const { west } = await buildGroups(db, 'sales/west')
  const made = { topic: 'groups' as const, idx: west.idx, groupIdx: west.idx }
  await announce(made, requests(2, west))
  expect(await stream.received()).toEqual([requests(1, east), made, requests(2, west)])
  await db.write.deleteFrom('groups').where('idx', '=', west.idx).execute()
  await announce(made, requests(3, west))
  expect(await stream.received()).toEqual([made])
  const { idx: authorityIdx } = await buildAuthority(db, { groups: [rnd], users: [manager], log: 1 })
  await announce({ topic: 'authorities', idx: authorityIdx }, requests(4, rnd))
  expect(await stream.received()).toEqual([requests(4, rnd)])
  await db.write.deleteFrom('authorities').where('idx', '=', authorityIdx).execute()
  await announce({ topic: 'authorities', idx: authorityIdx }, requests(5, rnd))
  expect(await stream.received()).toEqual([])
})

test('viewers who come and go keep the coverage that each has', async () => {
  const [first, second] = [
    await buildManager(db, { groups: [sales], fileExportApprove: 1 }),
    await buildManager(db, { groups: [rnd], fileExportApprove: 1 }),
  ]
  const stream = await listen(first)
  await announce(requests(1, east))
  expect(await stream.received()).toEqual([requests(1, east)])
  const other = await listen(second)
  await announce(requests(2, east), requests(3, rnd))
  expect([await stream.received(), await other.received()]).toEqual([[requests(2, east)], [requests(3, rnd)]])
  stream.close()
  await db.write.deleteFrom('authorityUsers').where('userIdx', '=', first.idx).execute()
  await announce({ topic: 'authorities', idx: 1 }, requests(4, east), requests(5, rnd))
  expect(await other.received()).toEqual([requests(5, rnd)])
  const reopened = await listen(first)
  await announce(requests(6, east), requests(7, rnd))
  expect([await reopened.received(), await other.received()]).toEqual([[], [requests(7, rnd)]])
})

test('an event addressed to one person is received by that person alone', async () => {
  const [one, other] = [await buildUser(db), await buildUser(db)]
  const [mine, theirs] = [await listen(one), await listen(other)]
  await announce({ topic: 'downloads', userIdx: one.idx })
  expect(await mine.received()).toEqual([{ topic: 'downloads', idx: null, groupIdx: null }])
  expect(await theirs.received()).toEqual([])
})

test('a stream sends a last event and ends when its session ends for any reason', async () => {
  const user = await buildUser(db)
  const other = await listen(await buildUser(db))
  const session = { topic: 'session', idx: null, groupIdx: null }
  const signedOut = as(user)
  const first = await listen(user, signedOut)
  await signedOut.session.logout({})
  expect(await first.toEnd()).toEqual([session])
  const second = await listen(user)
  await db.write.transaction().execute((tx) => endSessionsOf(tx, app, user.idx))
  expect(await second.toEnd()).toEqual([session])
  expect(await other.received()).toEqual([])
})

/** The events of a person's newest session, with a session check every few milliseconds. */
async function follow(
  user: { idx: number },
  role: Role = Role.USER,
  pace?: number,
  { sessions, read, events }: Pick<Database, 'sessions' | 'read'> & { events?: EventHub } = db,
) {
  await as(user).session.find({})
  const { idx: sessionIdx } = await db.read
    .selectFrom('sessions')
    .select('idx')
    .where('userIdx', '=', user.idx)
    .orderBy('idx', 'desc')
    .executeTakeFirstOrThrow()
  const services = { ...app, ...(events && { events }) }
  return followEvents({ services, read, sessions, actor: { idx: user.idx, sessionIdx, role } }, 5, pace)
}

test('sign-ins are announced to those who read the log, a rush of them as two events', async () => {
  const signIn = (group: { idx: number }) => ({ topic: 'signIns' as const, groupIdx: group.idx })
  const reader = await buildManager(db, { groups: [sales], log: 1 })
  const events = await follow(reader, Role.MANAGER, 50)
  const received = events.next()
  await announce(signIn(rnd), signIn(east), ...Array.from({ length: 20 }, () => signIn(sales)))
  await expect(received).resolves.toMatchObject({ value: { topic: 'signIns', groupIdx: east.idx } })
  await expect(events.next()).resolves.toMatchObject({ value: { topic: 'signIns', groupIdx: sales.idx } })
  const after = events.next()
  await announce(requests(9, east))
  await expect(after).resolves.toMatchObject({ value: { topic: 'requests' } })
  const other = await listen(await buildManager(db, { groups: [sales], fileExportApprove: 2, user: 2, policy: 2 }))
  await announce(signIn(sales))
  expect(await other.received()).toEqual([])
})

test('a session that runs out ends the stream', async () => {
  const events = await follow(await buildUser(db))
  const next = events.next()
  clock.advance(minutes(app.env.sessionMinutes + 2))
  expect(await next).toEqual({ value: { topic: 'session', idx: null, groupIdx: null }, done: false })
  expect(await events.next()).toMatchObject({ done: true })
})

/** Runs work with connections of its own while `allow` says whether the database accepts new ones. */
async function withScarceConnections(
  work: (scarce: Database & { events: EventHub }, allow: (isAllowed: boolean) => Promise<unknown>) => Promise<void>,
) {
  const scarce = openDatabase(db.connection, app.log, 1)
  const events = await openEventHub(db.connection, app.log)
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(owner)
  const allow = (isAllowed: boolean) =>
    sql`alter database ${sql.id(rows[0]?.name ?? '')} connection limit ${sql.lit(isAllowed ? -1 : 0)}`.execute(owner)
  try {
    await work({ ...scarce, events }, allow)
  } finally {
    await allow(true)
    await events.close()
    await scarce.close()
  }
}
/** Has every stream look up its session, as after a lost connection. */
const miss = () => sql`select pg_notify('acc', '{"topic": "missed"}')`.execute(db.write)
/** Reads to the first event of the topic and the row, or to the end of the stream; returns whether there was one. */
async function receives(events: AsyncIterator<LiveEvent>, topic: LiveEvent['topic'], idx: number | null = null) {
  for (let next = await events.next(); !next.done; next = await events.next())
    if (next.value.topic === topic && next.value.idx === idx) return true
  return false
}

test('a session that cannot be looked up keeps its stream for a minute and a half', async () => {
  await withScarceConnections(async (scarce, allow) => {
    const events = await follow(admin, Role.ADMIN, undefined, scarce)
    await allow(false)
    await miss()
    expect(await receives(events, 'settings')).toBe(true)
    await announce({ topic: 'users', idx: 1, groupIdx: sales.idx })
    expect(await receives(events, 'users', 1)).toBe(true)
    // Looked up at last: the time counts from here.
    await allow(true)
    clock.advance(60_000)
    await miss()
    expect(await receives(events, 'settings')).toBe(true)
    await allow(false)
    await sql`select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = current_database()
      and query like 'select "expireDT" from "sessions"%'`.execute(db.write)
    clock.advance(89_000)
    await miss()
    expect(await receives(events, 'settings')).toBe(true)
    clock.advance(1_000)
    expect(await receives(events, 'session', 0)).toBe(false)
  })
})

test('what may have ended a session ends its stream at once where that cannot be looked up', async () => {
  await withScarceConnections(async (scarce, allow) => {
    const user = await buildUser(db)
    const events = await follow(user, Role.USER, undefined, scarce)
    await allow(false)
    await announce({ topic: 'session', userIdx: user.idx })
    expect(await receives(events, 'users')).toBe(false)
  })
})

test('a change whose viewers cannot be read is made up for: anything may have changed', async () => {
  await withScarceConnections(async (scarce, allow) => {
    const events = await follow(await buildManager(db, { groups: [sales], user: 1 }), Role.MANAGER, undefined, scarce)
    await allow(false)
    await announce({ topic: 'users', idx: 1, groupIdx: sales.idx })
    await miss()
    expect(await receives(events, 'users')).toBe(true)
    await allow(true)
    expect(await receives(events, 'users')).toBe(true)
    await events.return?.()
  })
})

test('an iterator that is returned ends at once, though it waits', async () => {
  const events = await follow(await buildUser(db))
  const next = events.next()
  await events.return?.()
  expect(await next).toMatchObject({ done: true })
})

test('a connection that closes leaves nothing behind', async () => {
  const before = http.eventStreams.size
  const streams = await Promise.all(Array.from({ length: 5 }, () => listen(admin)))
  expect(http.eventStreams.size).toBe(before + 5)
  for (const stream of streams) stream.close()
  await expect.poll(() => http.eventStreams.size).toBe(before)
})

test('a lost connection to the database: anything may have changed', async () => {
  const administrator = await listen(admin)
  const user = await listen(await buildUser(db))
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and query = 'listen acc'`.execute(db.write)
  const topics = TOPICS.filter((topic) => topic !== 'session' && topic !== 'downloads' && topic !== MARK)
  const seen = new Set<string>()
  await expect
    .poll(
      async () => {
        for (const { topic } of await administrator.received()) seen.add(topic)
        return topics.every((topic) => seen.has(topic))
      },
      { timeout: 5_000 },
    )
    .toBe(true)
  expect(await user.received()).toEqual([])
})

test('a server that closes ends its streams and waits for none of them', async () => {
  const streams = await Promise.all([listen(admin), listen(admin)])
  const ends = Promise.all(streams.map((stream) => stream.toEnd()))
  await http.close()
  expect(await ends).toEqual([[], []])
})
