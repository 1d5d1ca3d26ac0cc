// What this process reports of itself: a row that it renews while it runs and removes when it is stopped.
import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { days, later } from '../../clock.ts'
import type { Services } from '../../core/services.ts'
import { SERVER_VERSION } from '../../version.ts'
import { deleteNode, deleteSilentNodes, insertOrUpdateNode } from './systemStatus.queries.ts'

/** Milliseconds between two reports. */
const INTERVAL = 30_000
const KEPT = days(1)

type NodeReport = { report(): Promise<void>; stop(): Promise<void> }

/** Reports at once and then every 30 seconds. Ignores failures: readiness shows a lost database. */
export async function startNodeReport(
  services: Pick<Services, 'db' | 'clock' | 'env' | 'key'>,
  refreshKeys: () => Promise<void> = () => Promise.resolve(),
): Promise<NodeReport> {
  const { db, clock, env, key } = services
  const id = randomUUID()
  const startDT = clock.now()
  const node = { id, name: `${hostname()}:${env.port}`, version: SERVER_VERSION, startDT }
  const report = async () => {
    // The key of the previous report: everything that it sealed is stored by now.
    const sealsWith = key.fingerprint
    await refreshKeys()
    const keys = key.opening().map(({ fingerprint }) => fingerprint)
    await db.write.transaction().execute(async (tx) => {
      const seenDT = clock.now()
      await insertOrUpdateNode(tx, { ...node, seenDT, memory: process.memoryUsage.rss(), keys, sealsWith })
      await deleteSilentNodes(tx, later(seenDT, -KEPT))
    })
  }
  const attempt = () => report().catch(() => undefined)
  await attempt()
  const timer = setInterval(attempt, INTERVAL).unref()
  return {
    report,
    async stop() {
      clearInterval(timer)
      await db.write
        .transaction()
        .execute((tx) => deleteNode(tx, id))
        .catch(() => undefined)
    },
  }
}
