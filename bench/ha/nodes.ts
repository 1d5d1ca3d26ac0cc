// Two nodes behind HAProxy, under load: restarted one after the other, then killed again and again (`npm run drill:nodes`, or
// `npm run drill:nodes -- 10` for ten minutes of kills). Prints the figures; its exit status says whether they are as promised.
import { setTimeout as wait } from 'node:timers/promises'
import { TEMPLATE } from '@acc/server/test/postgres.ts'
import { openDrillDatabase } from './database.ts'
import { findPrograms, openDrill, until } from './drill.ts'
import { areMailsSent, demand, judgeLedger, judgeMails, lossOf, printRate, requireAll, since } from './judge.ts'
import { startLoad } from './load.ts'
import { openSite } from './site.ts'

const MINUTES = Number(process.argv[2] ?? 0.5)
/** Seconds between two kills, and the most that one may cost. */
const EVERY = 10
const COST = 5

const { haproxy } = findPrograms('haproxy')
await openDrill(async (drill) => {
  const { db, databaseUrl } = await openDrillDatabase(drill, TEMPLATE)
  const site = await openSite(drill, { haproxy, databaseUrl })
  const load = startLoad(site)
  drill.atEnd(load.end)
  await wait(3_000)

  const restarted = performance.now()
  for (const node of site.nodes) await site.restart(node)
  const calls = since(load.calls, restarted)
  const { count, details } = lossOf(calls)
  demand(count === 0, `rolling restart of both nodes: ${count} of ${calls.length} calls refused`)
  printRate(calls)
  for (const detail of details) console.log(`     ${detail}`)

  const kills = Math.ceil((MINUTES * 60) / EVERY)
  const costs: number[] = []
  let lost = 0
  for (let at = 0; at < kills; at++) {
    const node = site.nodes[at % 2 === 0 ? 0 : 1]
    const killed = performance.now()
    await node.running.kill('SIGKILL')
    await Promise.all([node.start(), wait(EVERY * 1000)])
    const loss = lossOf(load.calls.filter(({ ended }) => ended >= killed))
    costs.push(loss.seconds)
    lost += loss.count
    for (const detail of loss.details) console.log(`     ${detail}`)
  }
  await load.end()
  const worst = Math.max(...costs)
  demand(
    worst <= COST,
    `${kills} nodes killed: ${lost} calls lost in all, for ${worst.toFixed(1)} s at the most (wanted <= ${COST} s)`,
  )
  printRate(load.calls)
  await judgeLedger(db, load.calls)
  // A claim of a node that was killed runs out after five minutes; its mail is one that may be sent twice.
  await until('the mails are sent', () => areMailsSent(db), 480)
  await judgeMails(db, site, kills)
  requireAll()
})
