// What the scenarios of a run work with: the product and the limit on one database, and sessions of people of all roles.
import { join } from 'node:path'
import { NoticeChoice } from '@acc/contract/labels/notices'
import { systemClock } from '@acc/server/src/clock.ts'
import { findSecretKey } from '@acc/server/src/crypto/secretKey.ts'
import { socketHost } from '@acc/server/src/db/embedded/place.ts'
import { type Connection, openDatabase } from '@acc/server/src/db/open.ts'
import { countActivity } from '@acc/server/src/domains/dashboard/dashboard.counts.ts'
import { sealHistory } from '@acc/server/src/domains/history/history.sealing.ts'
import { readEnv } from '@acc/server/src/env.ts'
import { csvSince } from './csv.ts'
import { setChoice } from './notices.ts'
import { MANAGER, PASSWORD } from './people.ts'
import { type Limit, type Product, startLimit, startServer } from './processes.ts'
import type { Read } from './read.ts'
import { readsOf } from './reads.ts'
import { openSessions, type Sessions } from './sessions.ts'
import type { StatementName, Value } from './statements.ts'

export type Bench = {
  product: Product
  limit: Limit
  sessions: Sessions
  reads: Read[]
  now: Date
  connection: Connection
  dataDir: string
  close(): Promise<void>
}

/** Prepares the database for the scenarios, and returns the hash that the limit's sign-ins verify. */
async function prepare(connection: Connection, dataDir: string): Promise<string> {
  const db = openDatabase(connection, { warn: () => undefined }, 2)
  // Exports that a policy allows need no decision: the files of the transfers can be read at once.
  await db.write.updateTable('policies').set({ fileExport: 1 }).where('groupIdx', '=', 1).execute()
  // At a full hour, mails to hundreds of approvers would be part of whatever is measured then.
  await setChoice(db, NoticeChoice.OFF)
  // As the hourly job has it, which may be an hour away.
  await countActivity({ db, clock: systemClock, env: readEnv({}) })
  // As the job has it every five minutes, which would fall into a measurement.
  const key = await findSecretKey({ file: join(dataDir, 'secret.key') })
  if (key !== undefined) {
    const log = { info: () => undefined, error: () => undefined }
    await sealHistory({ db, clock: systemClock, key, env: readEnv({ ACC_DATA_DIR: dataDir }), log })
  }
  const { pwHash } = await db.read
    .selectFrom('users')
    .select('pwHash')
    .where('idx', '=', MANAGER)
    .executeTakeFirstOrThrow()
  await db.close()
  return pwHash ?? ''
}

const valuesOf = (reads: readonly Read[]): Partial<Record<StatementName, Value[]>> =>
  Object.fromEntries(reads.flatMap(({ limit, values }) => (limit === undefined ? [] : [[limit, values]])))

/** Starts the product and the limit on a filled data directory. */
export async function openBench(dataDir: string, port: number): Promise<Bench> {
  const product = await startServer(dataDir, port)
  try {
    const socket = socketHost(join(dataDir, 'pg'))
    const connection = { host: socket.host, port: 5432, user: 'acc', database: 'acc' }
    const pwHash = await prepare(connection, dataDir)
    const now = new Date()
    const sessions = await openSessions(product.url)
    const reads = readsOf(sessions, now)
    const file = join(dataDir, 'limit.bin')
    const limit = await startLimit({
      connection,
      values: valuesOf(reads),
      csvSince: csvSince(now),
      pwHash,
      password: PASSWORD,
      file,
    })
    const close = async () => {
      await limit.stop()
      socket.close()
      await product.stop()
    }
    return { product, limit, sessions, reads, now, connection, dataDir, close }
  } catch (error) {
    await product.stop()
    throw error
  }
}
