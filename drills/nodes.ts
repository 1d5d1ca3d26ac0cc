// Two nodes behind HAProxy under load: restarted one after the other, then killed in turns for so many minutes.
import { setTimeout as wait } from 'node:timers/promises'
import { TEMPLATE } from '@acc/server/test/postgres.ts'
import { check, checkLoss, lossOf, maxOf, note, since } from './checks.ts'
import { type Drill, findPrograms, until } from './drill.ts'
import { areMailsSent, compareLedger, compareMails, type Load, printRate, startLoad } from './ledger.ts'
import { openExternalDatabase, openSite, type Site } from './servers.ts'

/** Seconds between two kills, and the longest loss of calls after one. */
const [EVERY, LONGEST] = [10, 5]

async function restartAll(site: Site, load: Load): Promise<void> {
  const begun = performance.now()
  for (const node of site.nodes) await site.restart(node)
  checkLoss(since(load.calls, begun), 'rolling restart of both nodes')
  printRate(since(load.calls, begun))
}

async function killInTurns({ nodes }: Site, load: Load, kills: number): Promise<void> {
  const losses: ReturnType<typeof lossOf>[] = []
  for (let at = 0; at < kills; at++) {
    const node = nodes[at % 2 === 0 ? 0 : 1]
    const killed = performance.now()
    await node.running.kill('SIGKILL')
    await Promise.all([node.start(), wait(EVERY * 1000)])
    const loss = lossOf(load.calls.filter(({ ended }) => ended >= killed))
    losses.push(loss)
    loss.details.forEach(note)
  }
  await load.end()
  const [count, worst] = [
    losses.reduce((sum, loss) => sum + loss.count, 0),
    maxOf(losses.map(({ seconds }) => seconds)),
  ]
  check(
    worst <= LONGEST,
    `${kills} kills: ${count} calls lost, within ${worst.toFixed(1)} s at most (target ${LONGEST} s)`,
  )
}

export async function drillNodes(drill: Drill, minutes = '0.5'): Promise<void> {
  const { haproxy } = findPrograms('haproxy')
  const { db, databaseUrl } = await openExternalDatabase(drill, TEMPLATE)
  const site = await openSite(drill, { haproxy, databaseUrl })
  const load = startLoad(site)
  drill.atEnd(load.end)
  await wait(3_000)
  await restartAll(site, load)
  const kills = Math.ceil((Number(minutes) * 60) / EVERY)
  await killInTurns(site, load, kills)
  printRate(load.calls)
  await compareLedger(db, load.calls)
  // A killed node's claim on a mail ends after five minutes; that mail may be sent twice.
  await until('the mails are sent', () => areMailsSent(db), 480)
  await compareMails(db, site, kills)
}
