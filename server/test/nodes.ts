// Several server processes on one database, as behind a load balancer: `const { db, startNode } = await openNodes()`.
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect } from 'vitest'
import { type Database, openDatabase } from '../src/db/open.ts'
import { ADMIN_PASSWORD } from './app.ts'
import { createTestDatabase } from './database.ts'
import { urlOf } from './postgres.ts'
import { type ServerProcess, startServer } from './process.ts'
import { endedAfterAll } from './processes.ts'

/** The secret key of all nodes. */
export const KEY = Buffer.alloc(32, 7)

export type Nodes = {
  db: Database
  /** Starts a node with a data directory of its own; `env` adds settings. */
  startNode(folder: string, env?: Record<string, string>): Promise<ServerProcess>
}

/** Makes the database and the shared folder of files; nodes end after the file's last test. */
export async function openNodes(): Promise<Nodes> {
  const root = await mkdtemp(join(tmpdir(), 'acc-nodes-'))
  const running = endedAfterAll(root)
  const database = await createTestDatabase()
  const db = openDatabase(database.connection, { warn: () => undefined })
  afterAll(async () => {
    for (const { child } of running) child.kill('SIGINT')
    await Promise.all(running.map(({ ended }) => ended))
    await db.close()
    await database.drop()
  })
  const startNode = async (folder: string, env: Record<string, string> = {}) => {
    const server = await startServer({
      ACC_DATA_DIR: join(root, folder),
      ACC_FILES_URL: join(root, 'files'),
      ACC_DATABASE_URL: urlOf(database.connection),
      ACC_SECRET_KEY: KEY.toString('base64'),
      ACC_ADMIN_PASSWORD: ADMIN_PASSWORD,
      ACC_TRUST_PROXY: '127.0.0.1',
      ...env,
    })
    running.push(server)
    expect(server.output()).toContain('ready')
    return server
  }
  return { db, startNode }
}
