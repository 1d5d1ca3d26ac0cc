// Measures the product beside the limit in the same run and writes bench/RESULTS.md: `npm run bench`. `npm run bench -- session csv`
// measures some scenarios alone and writes nothing.
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { socketHost } from '@acc/server/src/db/embedded/place.ts'
import { type Connection, openDatabase } from '@acc/server/src/db/open.ts'
import { csvSince, measureCsv } from './csv.ts'
import { measureFirstPaint } from './firstPaint.ts'
import { measurePolicyRush } from './policyRush.ts'
import { type Limit, type Product, residentMiB, startLimit, startServer } from './processes.ts'
import { measureRead, type Read, readsOf } from './reads.ts'
import { printRow, type Row, writeResults } from './report.ts'
import { MANAGER, PASSWORD, seed } from './seed.ts'
import { openSessions, type Sessions } from './sessions.ts'
import { measureFindIdFlood, measureSignIns, measureTotp } from './signIns.ts'
import { SIZES } from './sizes.ts'
import { measureTransfers } from './transfers.ts'

const PORT = 18_990
const root = join(import.meta.dirname, '..')
/** Filled once and kept. The number is the version of the seed. */
const dataDir = join(root, 'data', `2-${SIZES.users}-${SIZES.groups}-${SIZES.history}-${SIZES.requests}`)
const only = process.argv.slice(2)
const isWanted = (name: string) =>
  only.length === 0 || only.some((wanted) => name.toLowerCase().includes(wanted.toLowerCase()))
const rows: Row[] = []
const note = (measured: Row[]) => {
  rows.push(...measured)
  measured.forEach(printRow)
}
const seconds = (value: number) => `${value.toFixed(1)} s`

async function measureStarts(): Promise<Row[]> {
  const fresh = join(root, 'data', 'fresh')
  await rm(fresh, { recursive: true, force: true })
  const first = await startServer(fresh, PORT)
  await first.stop()
  const second = await startServer(fresh, PORT)
  const atRest = residentMiB(second.pid)
  await second.stop()
  return [
    { work: 'first start', product: seconds(first.startSeconds), wanted: '< 8 s' },
    { work: 'start on existing data', product: seconds(second.startSeconds), wanted: '< 2 s' },
    { work: 'memory at rest, server process', product: `${atRest.toFixed(0)} MiB`, wanted: '< 160 MiB' },
  ]
}

/** Fills the database, and returns what the limit needs of it. */
async function prepare() {
  const socket = socketHost(join(dataDir, 'pg'))
  const connection = { host: socket.host, port: 5432, user: 'acc', database: 'acc' }
  const db = openDatabase(connection, { warn: () => undefined }, 2)
  await seed(db, SIZES, dataDir)
  // Exports that a policy allows need no decision: the files of the transfers can be read at once.
  await db.write.updateTable('policies').set({ fileExport: 1 }).where('groupIdx', '=', 1).execute()
  const { pwHash } = await db.read
    .selectFrom('users')
    .select('pwHash')
    .where('idx', '=', MANAGER)
    .executeTakeFirstOrThrow()
  await db.close()
  return { connection, pwHash: pwHash ?? '', close: () => socket.close() }
}

async function measureAll(
  product: Product,
  limit: Limit,
  { sessions, reads, now, connection }: { sessions: Sessions; reads: Read[]; now: Date; connection: Connection },
): Promise<void> {
  for (const read of reads) if (isWanted(read.name)) note(await measureRead(read, product, limit, dataDir))
  if (isWanted('policyRush')) note(await measurePolicyRush(product, connection, dataDir, sessions.client))
  if (isWanted('csv')) note(await measureCsv(product, limit, sessions.admin, now))
  if (isWanted('signIn')) note(await measureSignIns(product, limit))
  if (isWanted('totp')) note(await measureTotp(product, limit, connection, dataDir))
  if (isWanted('findId')) note(await measureFindIdFlood(product))
  if (isWanted('firstPaint')) note(await measureFirstPaint(product.url))
  if (isWanted('transfer')) note(await measureTransfers(product, limit, sessions.client))
}

if (isWanted('start')) note(await measureStarts())
await mkdir(dataDir, { recursive: true })
const product = await startServer(dataDir, PORT)
try {
  const { connection, pwHash, close } = await prepare()
  const now = new Date()
  const sessions = await openSessions(product.url)
  const reads = readsOf(sessions, now)
  const limit = await startLimit({
    connection,
    values: Object.fromEntries(reads.map(({ name, values }) => [name, values])),
    csvSince: csvSince(now),
    pwHash,
    password: PASSWORD,
    file: join(dataDir, 'limit.bin'),
  })
  try {
    await measureAll(product, limit, { sessions, reads, now, connection })
  } finally {
    await limit.stop()
    close()
  }
  if (only.length === 0) await writeResults(rows)
} finally {
  await product.stop()
}
