// Under load, with the nodes of ACC connected through HAProxy, all of etcd is killed for a while, then etcd with the standby,
// then the primary of the Patroni pair (`npm run drill:ha`).
// Prints the figures; its exit status says whether they are as promised.
import { setTimeout as wait } from 'node:timers/promises'
import { openDatabase } from '@acc/server/src/db/open.ts'
import pg from 'pg'
import { findPrograms, isAlive, openDrill, until } from './drill.ts'
import {
  areMailsSent,
  demand,
  judgeLedger,
  judgeMails,
  lossOf,
  printRate,
  requireAll,
  since,
  writesAgainAfter,
} from './judge.ts'
import { type Load, startLoad } from './load.ts'
import { openPair, PASSWORD, type Pair } from './patroni.ts'
import { isReady, openSite, type Site } from './site.ts'

/** Seconds until writes must be acknowledged again. */
const WITHIN = 30
/** Milliseconds without etcd: longer than a primary without failsafe_mode keeps its role. */
const OUTAGE = 20_000
/** Milliseconds until a stream that ended is opened again. */
const RECONNECT = 2_000

/** As an operator is told to (docs/operations/install.md): returns the addresses of the servers' role and of the owner. */
async function createDatabase(pair: Pair): Promise<{ databaseUrl: string; env: Record<string, string> }> {
  const client = new pg.Client({ connectionString: pair.urlOf('postgres', 'postgres') })
  await client.connect()
  for (const role of ['acc', 'acc_server']) await client.query(`create role ${role} login password '${PASSWORD}'`)
  await client.query(`create database acc owner acc encoding 'UTF8' locale 'C.UTF-8' template template0`)
  await client.end()
  return { databaseUrl: pair.urlOf('acc', 'acc_server'), env: { ACC_DATABASE_OWNER_URL: pair.urlOf('acc', 'acc') } }
}

/** Follows the live events as the console does: a stream that ends is opened again. */
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
  console.log('     all members of etcd were killed')
  await wait(OUTAGE)
  await pair.etcd.start()
  await until('a standby confirms commits, after etcd is back', () => pair.isSynchronous())
  demand((await pair.roles()).primary === primary, `${primary.name} is still the primary`)
  const writes = since(calls, killed).filter(({ kind }) => kind !== 'read')
  const { count, details } = lossOf(writes)
  demand(
    writes.length > 0 && count === 0,
    `${count} of ${writes.length} writes were refused while etcd was away for ${OUTAGE / 1000} s`,
  )
  for (const detail of details) console.log(`     ${detail}`)
}

/** Kills etcd and the standby: the primary refuses writes, since the standby could be a primary that it does not see. */
async function loseEtcdAndStandby(pair: Pair, { calls }: Load): Promise<void> {
  const { primary, standby } = await pair.roles()
  const killed = performance.now()
  const secondsSince = (from: number) => ((performance.now() - from) / 1000).toFixed(1)
  await Promise.all([pair.etcd.kill(), standby.kill()])
  await until(`${primary.name} is read-only`, () => pair.isReadOnly(primary))
  const closed = performance.now()
  console.log(
    `     etcd and ${standby.name} were killed; ${primary.name} was read-only after ${secondsSince(killed)} s`,
  )
  await wait(OUTAGE)
  const written = since(calls, closed).filter(({ kind, outcome }) => kind !== 'read' && outcome === 'acknowledged')
  demand(written.length === 0, `${written.length} writes were acknowledged by a read-only primary`)
  const back = performance.now()
  await pair.etcd.start()
  await until('writes are acknowledged, after etcd is back', async () => writesAgainAfter(calls, back) < Infinity)
  const again = writesAgainAfter(calls, back)
  demand(again <= WITHIN, `writes are acknowledged ${again.toFixed(1)} s after etcd was started, without a standby`)
  standby.start()
  await until(`${standby.name} confirms commits`, () => pair.isSynchronous(), 180)
}

const programs = findPrograms('haproxy', 'patroni', 'etcd', 'pg_ctl')
await openDrill(async (drill) => {
  const pair = await openPair(drill, programs)
  console.log('     three members of etcd, two databases, the second one confirms commits')
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

  const { primary, standby } = await pair.roles()
  const killed = performance.now()
  await primary.kill()
  console.log(`     ${primary.name} was killed, with its Patroni`)
  await until('readiness says that the database is gone', async () => !(await isReady(site.nodes[0].url)), WITHIN)
  await until(
    'both nodes are ready again',
    async () => (await Promise.all(site.nodes.map(({ url }) => isReady(url)))).every(Boolean),
    90,
  )
  await wait(10_000)
  const heard = events.text().length
  await wait(5_000)
  demand(events.text().length > heard, `live events are heard, on stream ${events.streams()}`)
  demand((await pair.roles()).primary === standby, `${standby.name} is the primary`)
  const again = writesAgainAfter(load.calls, killed)
  demand(again <= WITHIN, `writes are acknowledged again after ${again.toFixed(1)} s (wanted <= ${WITHIN} s)`)
  for (const { url } of site.nodes) {
    const session = await fetch(`${url}/Account/Session`, { headers: { cookie: site.cookie } })
    demand(session.ok, 'the session from before goes on')
  }

  const joining = performance.now()
  primary.start()
  await until(`${primary.name} confirms commits`, () => pair.isSynchronous(), 180)
  console.log(
    `     ${primary.name} is back as a standby after ${((performance.now() - joining) / 1000).toFixed(1)} s, under load`,
  )
  await load.end()
  const calls = since(load.calls, killed)
  const { count, seconds, details } = lossOf(calls)
  console.log(`     ${count} of ${calls.length} calls were not acknowledged, within ${seconds.toFixed(1)} s`)
  for (const detail of details) console.log(`     ${detail}`)
  const broken = calls.filter(({ outcome }) => outcome === 'broken')
  demand(broken.length === 0, `${broken.length} calls ended otherwise than with 502 or 503 and a body that says so`)
  demand(
    site.nodes.every(({ running }) => isAlive(running.pid)),
    'no server ended',
  )
  await judgeLedger(db, load.calls)
  await until('the mails are sent', () => areMailsSent(db), 480)
  await judgeMails(db, site)
  requireAll()
})
