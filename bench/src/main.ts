// Measures the product beside the bare limit in the same run and writes bench/RESULTS.md: `npm run bench`. Sizes and length:
// sizes.ts. `npm run bench -- session csv` measures some scenarios alone and writes nothing.
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { cpus, totalmem } from 'node:os'
import { join } from 'node:path'
import { socketHost } from '@acc/server/src/db/embedded/place.ts'
import { type Connection, openDatabase } from '@acc/server/src/db/open.ts'
import { openCapture } from './capture.ts'
import { copyOf, measureCsv } from './csv.ts'
import { measureFirstPaint } from './firstPaint.ts'
import { residentMiB, startBare, startServer } from './processes.ts'
import { measureRead, type Row, readsOf, statementsOf } from './reads.ts'
import { ADMIN, MANAGER, openSession, PASSWORD, SIGN_IN_ACCOUNTS, seed } from './seed.ts'
import { measureSignIns } from './signIns.ts'
import { SIZES } from './sizes.ts'
import { measureTransfers } from './transfers.ts'

const PORT = 18_990
const root = join(import.meta.dirname, '..')
const dataDir = join(root, 'data', `${SIZES.users}-${SIZES.groups}-${SIZES.history}`)
const only = process.argv.slice(2)
const rows: Row[] = []
const note = (row: Row) => {
  rows.push(row)
  console.log(
    `${row.work}\n  product ${row.product}\n  bare    ${row.bare}\n  reached ${row.reached} (wanted ${row.wanted})`,
  )
}
const seconds = (value: number) => `${value.toFixed(1)} s`

async function measureStarts(): Promise<void> {
  const fresh = join(root, 'data', 'fresh')
  await rm(fresh, { recursive: true, force: true })
  for (const [work, wanted] of [
    ['first start', '< 8 s'],
    ['start on existing data', '< 2 s'],
  ] as const) {
    const server = await startServer(fresh, PORT)
    const atRest = residentMiB(server.pid)
    note({ work, product: seconds(server.startSeconds), bare: '', reached: '', wanted })
    if (work !== 'first start')
      note({
        work: 'memory at rest, server process',
        product: `${atRest.toFixed(0)} MiB`,
        bare: '',
        reached: '',
        wanted: '< 160 MiB',
      })
    await server.stop()
  }
}

async function writeResults(): Promise<void> {
  const machine = `${cpus().length} × ${cpus()[0]?.model.trim()}, ${(totalmem() / 1024 ** 3).toFixed(0)} GiB, Node ${process.version}`
  const lines = rows.map((row) => `| ${row.work} | ${row.product} | ${row.bare} | ${row.reached} | ${row.wanted} |`)
  const text = `# Figures\n\n${new Date().toISOString().slice(0, 10)}, ${machine}; ${SIZES.users} users, ${SIZES.groups} groups, ${SIZES.history} sign-in rows.
The bare limit is node:http with pg and the same statements in the same run (\`bench/src/bare.ts\`); load, server and database share the machine.

| work | product | bare | reached | wanted |
|---|---|---|---|---|
${lines.join('\n')}
`
  await writeFile(join(root, 'RESULTS.md'), text)
}

const isWanted = (name: string) => only.length === 0 || only.includes(name)
if (isWanted('start')) await measureStarts()
await mkdir(dataDir, { recursive: true })
const server = await startServer(dataDir, PORT)
const socket = socketHost(join(dataDir, 'pg'))
const connection: Connection = { host: socket.host, port: 5432, user: 'acc', database: 'acc' }
const db = openDatabase(connection, { warn: () => undefined }, 2)
await seed(db, SIZES)
const tokens = {
  admin: await openSession(db, ADMIN, 'web'),
  manager: await openSession(db, MANAGER, 'web'),
  client: await openSession(db, MANAGER + SIGN_IN_ACCOUNTS + 1, 'client'),
}
const now = new Date()
const reads = readsOf(tokens, now).filter(({ name }) => isWanted(name))
const capture = await openCapture(connection, dataDir)
const statements = await statementsOf(reads, capture)
await capture.close()
const { pwHash } = await db.read
  .selectFrom('users')
  .select('pwHash')
  .where('idx', '=', MANAGER)
  .executeTakeFirstOrThrow()
const file = join(dataDir, 'bare.bin')
const bare = await startBare({ connection, statements, copy: copyOf(now), pwHash, password: PASSWORD, file })
try {
  for (const read of reads) note(await measureRead(read, server, bare))
  if (isWanted('csv')) note(await measureCsv(server, bare, tokens.admin, now))
  if (isWanted('signIn')) for (const row of await measureSignIns(server, bare)) note(row)
  if (isWanted('firstPaint')) for (const row of await measureFirstPaint(server.url)) note(row)
  if (isWanted('transfer')) {
    await db.write.updateTable('policies').set({ fileExport: 1 }).where('groupIdx', '=', 1).execute()
    for (const row of await measureTransfers(server, bare, tokens.client)) note(row)
  }
  if (only.length === 0) await writeResults()
} finally {
  await bare.stop()
  await server.stop()
  await db.close()
  socket.close()
}
