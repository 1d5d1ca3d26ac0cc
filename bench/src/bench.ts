// Product and limit on one database, with sessions, for the questions.
import { join } from 'node:path'
import { NoticeChoice } from '@acc/contract/notices'
import { systemClock } from '@acc/server/src/clock.ts'
import { findSecretKey } from '@acc/server/src/crypto/secretKey.ts'
import { socketHost } from '@acc/server/src/db/embedded/place.ts'
import { openDatabase } from '@acc/server/src/db/open.ts'
import { countActivity } from '@acc/server/src/domains/dashboard/dashboard.counts.ts'
import { sealHistory } from '@acc/server/src/domains/history/history.sealing.ts'
import { readEnv } from '@acc/server/src/env.ts'
import { updateSetting } from '@acc/server/src/settings/settings.ts'
import { sql } from 'kysely'
import { openSessions, type Sessions, tokenHash } from './people.ts'
import { type Product, type ServerProcess, startLimit, startServer } from './processes.ts'

export type Bench = {
  product: Product
  limit: ServerProcess
  sessions: Sessions
  now: Date
  dataDir: string
  close(): Promise<void>
}

type Connection = { host: string; port: number; user: string; database: string }

/** Runs jobs before a measurement. */
async function prepare(connection: Connection, dataDir: string): Promise<void> {
  const db = openDatabase(connection, { warn: () => undefined }, 2)
  // An export without a decision: its files can be downloaded at once.
  await db.write.updateTable('policies').set({ fileExport: 1 }).where('groupIdx', '=', 1).execute()
  // No mails to hundreds of approvers.
  await sql`insert into "personNotices" ("userIdx", choice, "nextDT")
    select distinct "userIdx", ${NoticeChoice.OFF}::smallint, now() from "authorityUsers"
    on conflict ("userIdx") do update set choice = excluded.choice, "mailDay" = null`.execute(db.write)
  // The files of the seeded requests do not exist: no job looks for them during a measurement.
  await sql`delete from "damagedFiles"`.execute(db.write)
  const scrubbed = { beginDT: new Date().toISOString(), after: null, perRun: 1 }
  await db.write.transaction().execute((tx) => updateSetting(tx, 'fileScrub', scrubbed))
  await countActivity({ db, clock: systemClock, env: readEnv({}) })
  const key = await findSecretKey({ file: join(dataDir, 'secret.key') })
  const log = { info: () => undefined, error: () => undefined }
  const env = readEnv({ ACC_DATA_DIR: dataDir })
  if (key !== undefined) await sealHistory({ db, clock: systemClock, key, env, log })
  await db.close()
}

/** Starts product and limit on a filled data directory. */
export async function openBench(dataDir: string, port: number): Promise<Bench> {
  const product = await startServer(dataDir, port)
  try {
    const socket = socketHost(join(dataDir, 'pg'))
    const connection = { host: socket.host, port: 5432, user: 'acc', database: 'acc' }
    await prepare(connection, dataDir)
    const sessions = await openSessions(product.url)
    const now = new Date()
    const order = { tokenHash: tokenHash(sessions.admin), now: now.toISOString(), file: join(dataDir, 'transfer.bin') }
    const limit = await startLimit({ connection, ...order })
    const close = async () => {
      await limit.stop()
      socket.close()
      await product.stop()
    }
    return { product, limit, sessions, now, dataDir, close }
  } catch (error) {
    await product.stop()
    throw error
  }
}
