// Two nodes behind HAProxy on a Patroni pair, under load: kills etcd, then etcd and the standby, then the primary.
import { setTimeout as wait } from 'node:timers/promises'
import { openDatabase } from '@acc/server/src/db/open.ts'
import pg from 'pg'
import { check, checkLoss, lossOf, note, since, writesAgainAfter } from './checks.ts'
import { type Drill, findPrograms, isAlive, until } from './drill.ts'
import { areMailsSent, compareLedger, compareMails, type Load, printRate, startLoad } from './ledger.ts'
import { openPair, PASSWORD, type Pair } from './patroni.ts'
import { isReady, openSite, type Site } from './servers.ts'

/** Seconds until writes must be acknowledged again. */
const WITHIN = 30
/** Milliseconds without etcd: longer than a primary without failsafe_mode keeps its role. */
const OUTAGE = 20_000
/** Milliseconds until a stream that ended is opened again. */
const RECONNECT = 2_000

/** Creates roles and database as docs/operations/install.md describes; returns the addresses of both roles. */
async function createDatabase(pair: Pair): Promise<{ databaseUrl: string; env: Record<string, string> }> {
  const client = new pg.Client({ connectionString: pair.urlOf('postgres', 'postgres') })
  await client.connect()
  for (const role of ['acc', 'acc_server']) await client.query(`create role ${role} login password '${PASSWORD}'`)
  await client.query(`create database acc owner acc encoding 'UTF8' locale 'C.UTF-8' template template0`)
  await client.end()
  return { databaseUrl: pair.urlOf('acc', 'acc_server'), env: { ACC_DATABASE_OWNER_URL: pair.urlOf('acc', 'acc') } }
}

/** Follows the live events; opens a stream again when it ends. */
function follow({ url, cookie }: Site): { text(): string; streams(): number; close(): void } {
  const stop = new AbortController()
  let text = ''
  let streams = 0
  const read = async () => {
    const stream = await fetch(`${url}/Events`, { headers: { cookie }, signal: stop.signal })
    if (stream.ok) streams++
    for await (const part of stream.body?.pipeThrough(new TextDecoderStream()) ?? []) text += part
  }
  const reading = async () => {
    while (!stop.signal.aborted) {
      await read().catch(() => undefined)
      await wait(RECONNECT)
    }
  }
  void reading()
  return { text: () => text, streams: () => streams, close: () => stop.abort() }
}

/** Kills etcd and starts it again: no write is refused while both databases are healthy. */
async function loseEtcd(pair: Pair, { calls }: Load): Promise<void> {
  const { primary } = await pair.roles()
  const killed = performance.now()
  await pair.etcd.kill()
  note('all members of etcd were killed')
  await wait(OUTAGE)
  await pair.etcd.start()
  await until('a standby confirms commits, after etcd is back', () => pair.isSynchronous())
  check((await pair.roles()).primary === primary, `${primary.name} is still the primary`)
  const writes = since(calls, killed).filter(({ kind }) => kind !== 'read')
  checkLoss(writes, `writes while etcd was away for ${OUTAGE / 1000} s`)
}

/** Kills etcd and the standby: the primary refuses writes, since the standby could be another primary. */
async function loseEtcdAndStandby(pair: Pair, { calls }: Load): Promise<void> {
  const { primary, standby } = await pair.roles()
  const killed = performance.now()
  const secondsSince = (from: number) => ((performance.now() - from) / 1000).toFixed(1)
  await Promise.all([pair.etcd.kill(), standby.kill()])
  await until(`${primary.name} is read-only`, () => pair.isReadOnly(primary))
  const closed = performance.now()
  note(`etcd and ${standby.name} were killed; ${primary.name} was read-only after ${secondsSince(killed)} s`)
  await wait(OUTAGE)
  const written = since(calls, closed).filter(({ kind, outcome }) => kind !== 'read' && outcome === 'acknowledged')
  check(written.length === 0, `${written.length} writes were acknowledged by a read-only primary`)
  const back = performance.now()
  await pair.etcd.start()
  await until('writes are acknowledged, after etcd is back', async () => writesAgainAfter(calls, back) < Infinity)
  const again = writesAgainAfter(calls, back)
  check(again <= WITHIN, `writes are acknowledged ${again.toFixed(1)} s after etcd was started, without a standby`)
  standby.start()
  await until(`${standby.name} confirms commits`, () => pair.isSynchronous(), 180)
}

/** Kills the primary with its Patroni: the standby takes over, and the former primary returns as a standby. */
async function losePrimary(pair: Pair, site: Site, { calls }: Load, events: ReturnType<typeof follow>): Promise<void> {
  const { primary, standby } = await pair.roles()
  const killed = performance.now()
  await primary.kill()
  note(`${primary.name} was killed, with its Patroni`)
  await until('a node is not ready', async () => !(await isReady(site.nodes[0].url)), WITHIN)
  const areReady = async () => (await Promise.all(site.nodes.map(({ url }) => isReady(url)))).every(Boolean)
  await until('both nodes are ready', areReady, 90)
  await wait(10_000)
  const received = events.text().length
  await wait(5_000)
  check(events.text().length > received, `live events arrive, on stream ${events.streams()}`)
  check((await pair.roles()).primary === standby, `${standby.name} is the primary`)
  const seconds = writesAgainAfter(calls, killed)
  check(seconds <= WITHIN, `writes are acknowledged after ${seconds.toFixed(1)} s (target ${WITHIN} s)`)
  for (const { url } of site.nodes) {
    const session = await fetch(`${url}/Account/Session`, { headers: { cookie: site.cookie } })
    check(session.ok, 'the session from before is valid')
  }
  const joining = performance.now()
  primary.start()
  await until(`${primary.name} confirms commits`, () => pair.isSynchronous(), 180)
  note(`${primary.name} is a standby after ${((performance.now() - joining) / 1000).toFixed(1)} s`)
  const after = since(calls, killed)
  const { count, seconds: span, details } = lossOf(after)
  note(`${count} of ${after.length} calls were not acknowledged, within ${span.toFixed(1)} s`)
  details.forEach(note)
  const broken = after.filter(({ outcome }) => outcome === 'broken').length
  check(broken === 0, `${broken} calls ended without error 502 or 503`)
}

export async function drillFailover(drill: Drill): Promise<void> {
  const programs = findPrograms('haproxy', 'patroni', 'etcd', 'pg_ctl')
  const pair = await openPair(drill, programs)
  note('three members of etcd, two databases, the second one confirms commits')
  const database = await createDatabase(pair)
  const site = await openSite(drill, { haproxy: programs.haproxy, ...database })
  const db = openDatabase({ connectionString: database.databaseUrl }, { warn: () => undefined }, 2)
  drill.atEnd(db.close)
  const events = follow(site)
  drill.atEnd(async () => events.close())
  const load = startLoad(site)
  drill.atEnd(load.end)
  await wait(10_000)
  printRate(load.calls)
  await loseEtcd(pair, load)
  await loseEtcdAndStandby(pair, load)
  await losePrimary(pair, site, load, events)
  await load.end()
  const areAlive = site.nodes.every(({ running }) => isAlive(running.pid))
  check(areAlive, 'no server ended')
  await compareLedger(db, load.calls)
  await until('the mails are sent', () => areMailsSent(db), 480)
  await compareMails(db, site)
}
