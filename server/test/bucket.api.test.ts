// A server whose files are in a bucket: a resumed upload, the download, the backup, its restore into another place of
// the bucket, the system status. `npm run test:bucket` runs the tests of requests and client versions this way.
import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { FileExport } from '@acc/contract/labels/policies'
import { afterAll, expect, test } from 'vitest'
import { backupKeyOf } from '../src/backup/key.ts'
import { openBackup } from '../src/backup/read.ts'
import { restoreBackup } from '../src/backup/restore.ts'
import { restoreFiles } from '../src/backup/storedFiles.ts'
import { makeBackup } from '../src/backup/write.ts'
import { makeSecretKey } from '../src/crypto/secretKey.ts'
import { startBucket } from '../src/files/bucket.fixture.ts'
import { openBucket } from '../src/files/bucket.ts'
import { openMedium } from '../src/files/medium.ts'
import { startTestApp } from './app.ts'
import { buildManager } from './build/authorities.ts'
import { buildGroups } from './build/groups.ts'
import { buildPolicy } from './build/policies.ts'
import { buildUser } from './build/users.ts'
import { createTestDatabase } from './database.ts'
import { openDesktopClient } from './desktopClients.ts'
import { urlOf } from './postgres.ts'
import { unzip } from './unzip.ts'

const bucket = await startBucket()
const empty = await createTestDatabase({ isEmpty: true })
const root = await mkdtemp(join(tmpdir(), 'acc-bucket-'))
afterAll(async () => {
  await Promise.all([bucket.close(), empty.drop()])
  await rm(root, { recursive: true, force: true })
})
const testApp = await startTestApp({ ACC_FILES_URL: bucket.url })
const { app, as, admin } = testApp
const { db, env } = app
const { sales } = await buildGroups(db, 'sales')
await buildPolicy(db, { group: sales, fileExport: FileExport.APPROVAL })
const approver = await buildManager(db, { groups: [sales], fileExportApprove: 2 })
const pc = await openDesktopClient(testApp, await buildUser(db, { group: sales }))

const bytes = randomBytes(5_000_000)
const sha256 = createHash('sha256').update(bytes).digest('hex')

test('a file goes through the bucket, from the upload in pieces to the restored backup', async () => {
  const files = [{ name: 'plan.dwg', size: bytes.length, sha256 }]
  const { idx, files: asked } = await pc.requests.create({ type: 1, purpose: 'to the customer', files })
  const place = { fileEximport: idx, file: asked[0]?.idx ?? 0 }
  await pc.requests.upload({ ...place, offset: 0 }, new Blob([bytes.subarray(0, 4_500_000)]))
  await pc.requests.upload({ ...place, offset: 4_500_000 }, new Blob([bytes.subarray(4_500_000)]))
  await as(approver).requests.decide({ idx, state: 1, purpose: '' })
  const zip = await as(approver).requests.download({ fileEximport: idx })
  expect(unzip(Buffer.from(await zip.arrayBuffer()))[0]?.bytes.equals(bytes)).toBe(true)

  const key = backupKeyOf(makeSecretKey(Buffer.alloc(32, 9)))
  const made = await makeBackup({ connection: db.connection, store: await openMedium(env.files), root, key })
  expect(made.manifest.files).toMatchObject({ count: 1, missing: 0 })
  const backup = await openBackup(root, key)
  const restored = openBucket({ ...bucket.place, prefix: 'restored/' })
  const stage = await restored.stage()
  await restoreFiles(join(backup.folder, 'files'), backup.files(), stage)
  await stage.place()
  await stage.discard()
  const [row] = await db.read.selectFrom('requestFiles').selectAll().execute()
  const original = await (await openMedium(env.files)).open(row?.storeName ?? '', 'read')
  const copy = await restored.open(row?.storeName ?? '', 'read')
  const size = await original.size()
  const [one, other] = [await original.readAt(Buffer.alloc(size), 0), await copy.readAt(Buffer.alloc(size), 0)]
  expect(one.equals(other)).toBe(true)
  await Promise.all([original.close(), copy.close()])
})

test('a restore reports the first failure, also where the service refuses to remove written files', async () => {
  const backup = await openBackup(root, backupKeyOf(makeSecretKey(Buffer.alloc(32, 9))))
  const dataDir = join(root, 'restoring')
  const files = { bucket: { ...bucket.place, prefix: 'refused/' } }
  const place = { dataDir, databaseUrl: urlOf(empty.owner), files }
  const author = { idx: null, id: '[acc-admin]', name: 'root', groupName: '', ip: '' }
  let isFull = false
  bucket.fault = ({ method }, response) => {
    isFull ||= method === 'PUT'
    const code = method === 'PUT' ? 'QuotaExceeded' : 'AccessDenied'
    if (isFull) response.writeHead(403).end(`<Error><Code>${code}</Code><Message>no</Message></Error>`)
    return isFull
  }
  const restoring = restoreBackup({ backup, place, author })
  await expect(restoring).rejects.toThrow(/QuotaExceeded.*could not be removed.*AccessDenied/)
  bucket.fault = () => false
  await restoreBackup({ backup, place, author })
})

test('the status names the bucket, and a service that is down', async () => {
  expect(await as(admin).systemStatus.find({})).toMatchObject({ files: { kind: 'bucket', freeSpace: null } })
  bucket.fault = (_, response) => {
    response.destroy()
    return true
  }
  const status = await as(admin).systemStatus.find({})
  expect(status).toMatchObject({ files: null })
  expect(status.faults).toContain('storeUnavailable')
  bucket.fault = () => false
})
