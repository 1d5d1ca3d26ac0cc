// Databases and files of the published versions, upgraded by this one: no row is lost, and the schema is that of a
// fresh installation.
import { readFileSync } from 'node:fs'
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { RequestState } from '@acc/contract/labels/requests'
import pg from 'pg'
import { afterAll, expect, inject, test } from 'vitest'
import { systemClock } from '../src/clock.ts'
import { makeSecretKey } from '../src/crypto/secretKey.ts'
import { migrate } from '../src/db/migrate.ts'
import { openDatabase } from '../src/db/open.ts'
import { sealHistory } from '../src/domains/history/history.sealing.ts'
import { sealKeyOf } from '../src/domains/history/history.sealKey.ts'
import { verifyHistory } from '../src/domains/history/history.verify.ts'
import { readEnv } from '../src/env.ts'
import { createDatabase, dropDatabase, OWNER, SERVER, urlOf } from './postgres.ts'
import { spawnServer } from './process.ts'
import { endedAfterAll } from './processes.ts'
import { SCHEMA_FILES, schemaSql } from './schemaText.ts'
import { signIn } from './signIn.ts'
import { unzip } from './unzip.ts'
import {
  EXPORTED,
  KEY,
  LANDED,
  type LandedVersion,
  loadFixture,
  PASSWORD,
  PEOPLE,
  readFixture,
  readRows,
} from './upgrade/fixture.ts'

const root = await mkdtemp(join(tmpdir(), 'acc-upgrade-'))
const running = endedAfterAll(root)

/** Makes the database of a published version. */
async function openLanded(landed: LandedVersion) {
  const postgres = inject('postgres')
  const database = `landed_${landed.migration.slice(0, 4)}_${Date.now().toString(36)}`
  await createDatabase(postgres, database, 'template0')
  afterAll(() => dropDatabase(postgres, database))
  const fixture = await readFixture(landed)
  await loadFixture({ ...postgres, user: 'postgres', database }, OWNER, landed, fixture)
  const connection = { ...postgres, user: OWNER, database }
  const client = new pg.Client(connection)
  await client.connect()
  afterAll(() => client.end())
  return { fixture, connection, client }
}
type OpenedData = Awaited<ReturnType<typeof openLanded>>

/** The rows that were there, in the columns that they had. */
async function requireRows({ fixture, client }: OpenedData): Promise<void> {
  for (const { name, columns, rows } of fixture.tables)
    expect(await readRows(client, name, columns), name).toEqual(rows)
}

async function requireUpgraded(opened: OpenedData): Promise<void> {
  await requireRows(opened)
  const { write: db, close } = openDatabase(opened.connection, { warn: () => undefined }, 1)
  expect(await schemaSql(db).finally(close)).toBe(readFileSync(SCHEMA_FILES.sql, 'utf8'))
}

/** The history of before is sealed with its sign-ins, and verified. */
async function requireSealable({ connection, fixture }: OpenedData, { version }: LandedVersion): Promise<void> {
  const dataDir = join(root, version)
  await mkdir(dataDir)
  const db = openDatabase(connection, { warn: () => undefined }, 2)
  const key = makeSecretKey(Buffer.from(KEY, 'base64'))
  const log = { info: () => undefined, error: () => expect.fail('nothing is sealed') }
  await sealHistory({ db, clock: systemClock, key, env: readEnv({ ACC_DATA_DIR: dataDir }), log })
  const verified = await verifyHistory(db.read, { publicKey: sealKeyOf(key).publicKey, keptSince: new Date(0) })
  await db.close()
  const count = (name: string) => fixture.tables.find((table) => table.name === name)?.rows.length ?? 0
  expect(verified).toMatchObject({ finding: undefined, unsealed: 0 })
  expect(verified.rows).toBeGreaterThanOrEqual(count('history') + count('signIns'))
}

test.each(LANDED)('$version is upgraded: no row is lost, and the schema is that of a fresh one', async (landed) => {
  const opened = await openLanded(landed)
  expect(opened.fixture.tables.find(({ name }) => name === 'users')?.rows).toHaveLength(PEOPLE.length + 1)
  const { write: db, close } = openDatabase(opened.connection, { warn: () => undefined }, 1)
  await migrate(db).finally(close)
  await requireUpgraded(opened)
  await requireSealable(opened, landed)
})

test.each(LANDED)(
  'a server on the data of $version serves its people and files',
  { timeout: 240_000 },
  async (landed) => {
    const { connection, fixture } = await openLanded(landed)
    const folder = join(root, `served-${landed.version}`)
    for (const [path, bytes] of Object.entries(fixture.files)) {
      await mkdir(dirname(join(folder, 'files', path)), { recursive: true })
      await writeFile(join(folder, 'files', path), bytes, 'base64')
    }
    const server = await spawnServer({
      ACC_DATA_DIR: join(folder, 'data'),
      ACC_FILES_URL: join(folder, 'files'),
      ACC_DATABASE_URL: urlOf({ ...connection, user: SERVER }),
      ACC_DATABASE_OWNER_URL: urlOf(connection),
      ACC_SECRET_KEY: KEY,
    })
    running.push(server)
    await server.ready
    const admin = await signIn(server.baseUrl, 'admin', PASSWORD)
    const { items } = await admin.users.search({ id: 'upgrade.' })
    expect(Object.fromEntries(items.map(({ id, groupName }) => [id, groupName]))).toEqual({
      'upgrade.one': '설계팀',
      'upgrade.two': 'Design 2',
      'upgrade.three': 'Design 2',
    })
    const found = await admin.requests.search({ type: 1 })
    const approved = found.items.find(({ state }) => state === RequestState.APPROVED)
    const zip = await admin.requests.download({ fileEximport: approved?.idx ?? 0 })
    expect(unzip(Buffer.from(await zip.arrayBuffer())).map(({ bytes }) => bytes.toString())).toEqual([EXPORTED])
  },
)
