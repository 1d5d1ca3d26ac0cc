// The rotation of the secret key: nothing is lost if it is interrupted at any point, under concurrent writes.
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { SettingManage } from '@acc/contract/labels/history'
import { MailState } from '@acc/contract/labels/mails'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { startTestApp } from '../../test/app.ts'
import { buildGroups } from '../../test/build/groups.ts'
import { buildRequest } from '../../test/build/requests.ts'
import { buildUser } from '../../test/build/users.ts'
import { historyOf } from '../../test/history.ts'
import { minutes } from '../clock.ts'
import { reseal, seal } from '../crypto/seal.ts'
import { makeKeyRing, makeSecretKey, type SecretKey } from '../crypto/secretKey.ts'
import { programFile } from '../domains/clientVersions/clientVersions.fixture.ts'
import { findHeadFile } from '../domains/history/history.head.ts'
import { sealHistory } from '../domains/history/history.sealing.ts'
import { findSealKey, sealKeyOf } from '../domains/history/history.sealKey.ts'
import { verifyHistory } from '../domains/history/history.verify.ts'
import { openText, sealText } from '../domains/mails/mails.text.ts'
import { sealSecret } from '../domains/otp/totp.ts'
import { sealProviderLogout } from '../domains/session/session.providerLogout.ts'
import { startNodeReport } from '../domains/systemStatus/systemStatus.node.ts'
import { openFileStore } from '../files/fileStore.ts'
import { openMedium } from '../files/medium.ts'
import { keepFingerprint, openSecretKey } from '../firstStart.ts'
import { findKeyNames, refreshKeys } from '../settings/keyRing.ts'
import { findSetting, updateSetting } from '../settings/settings.ts'
import { rotate, SEALED } from './rotation.ts'

const KEY = Buffer.alloc(32, 7)
const NEXT = Buffer.alloc(32, 8)
const folder = await mkdtemp(join(tmpdir(), 'acc-rotation-'))
afterAll(() => rm(folder, { recursive: true }))
const source = { file: join(folder, 'secret.key') }
const put = (name: string, bytes: Buffer) => writeFile(join(folder, name), bytes.toString('base64'), { mode: 0o600 })
await put('secret.key', KEY)

const { app, as, admin, clock } = await startTestApp()
const [from, to] = [makeSecretKey(KEY), makeSecretKey(NEXT)]
const ring = makeKeyRing(from)
const node = await startNodeReport({ ...app, key: ring }, () => refreshKeys(app.db.read, source, ring))
afterAll(node.stop)
await keepFingerprint(app.db, ring)

const mailServer = {
  serverAddress: 'mail.example.com',
  serverPort: 0,
  encrypt: 0 as const,
  senderEmail: 'acc@example.com',
  id: 'acc',
  pw: 'mail password',
  receiverEmail: 'admin@example.com',
}
const userSync = {
  kind: 1 as const,
  directory: null,
  bindPw: 'directory password',
  groupIdx: 1,
  options: { addsGroups: 0 as const, adopts: 0 as const, mailsPasswords: 0 as const },
  everyHours: 24 as const,
  hour: 3,
}
const addMail = async (key: SecretKey, number: number) => {
  const now = clock.now()
  const { idx } = await app.db.write
    .insertInto('mails')
    .values({ receiver: 'a@b.kr', subject: `${number}`, state: MailState.SENT, createDT: now })
    .returning('idx')
    .executeTakeFirstOrThrow()
  const body = sealText(key, idx, { text: `mail ${number}`, html: '', until: null })
  await app.db.write.updateTable('mails').set({ body }).where('idx', '=', idx).execute()
}

/** Puts values into every sealed column. */
async function fill(): Promise<void> {
  const { write } = app.db
  await write.transaction().execute(async (tx) => {
    await updateSetting(tx, 'mailServer', mailServer, from)
    await updateSetting(tx, 'userSync', userSync, from)
  })
  const { sales } = await buildGroups(app.db, 'sales')
  const user = await buildUser(app.db, { group: sales })
  const [otpSecret, otpPending] = (['otpSecret', 'otpPending'] as const).map((column) =>
    sealSecret(from, user.idx, column, `${column} of a user`),
  )
  await write.updateTable('users').set({ otpSecret, otpPending }).where('idx', '=', user.idx).execute()
  await as(admin).bim.createServer({ pcName: 'bim', ip: '10.0.0.1', description: '' })
  await as(admin).clientVersions.upload({}, programFile('1.2.3.4'))
  const { idx, tokenHash } = await write.selectFrom('sessions').selectAll().limit(1).executeTakeFirstOrThrow()
  const providerLogout = sealProviderLogout({ ...app, key: from }, tokenHash, 'https://provider.example.com/end')
  await write.updateTable('sessions').set({ providerLogout }).where('idx', '=', idx).execute()
  const fields = seal(from, 'mailTests', `mailTests:${idx}:fields`, 'fields')
  await write.insertInto('mailTests').values({ sessionIdx: idx, fields, testDT: clock.now() }).execute()
  await buildRequest(app, user, { files: FILES })
  for (let number = 0; number < 450; number++) await addMail(from, number)
}
const FILES = [0, 1, 2].map((number) => ({ name: `${number}.txt`, bytes: Buffer.from(`content ${number}`) }))
await fill()

/** Opens all sealed values with one key. Fails if a column is empty or a value does not open. */
async function requireSealedWith(key: SecretKey): Promise<void> {
  for (const rows of SEALED) {
    const found = await rows.find(app.db.read, { after: 0, limit: 100_000 })
    const states = found.map(({ sealed, context }) => reseal({ from: key, to: key }, rows.purpose, context, sealed))
    expect({ column: `${rows.table}.${rows.column}`, states: [...new Set(states)] }).toEqual({
      column: `${rows.table}.${rows.column}`,
      states: ['current'],
    })
  }
  expect(await findSetting(app.db.read, 'mailServer', key)).toEqual(mailServer)
  expect(await findSetting(app.db.read, 'userSync', key)).toEqual(userSync)
}

const rotation = (keys = { from, to }) => ({ db: app.db, clock, keys, pause: () => node.report() })
const settings = () => app.db.read.selectFrom('settings').selectAll().orderBy('name').execute()

test('every sealed column is one of those that are rotated', async () => {
  const { rows } = await sql<{ name: string }>`
    select table_name || '.' || column_name as name from information_schema.columns
    where table_schema = 'public' and data_type = 'bytea' and table_name !~ '_[0-9]{6}$' order by 1`.execute(
    app.db.read,
  )
  /** Hashes, signatures and pictures. */
  const others = ['bimServers.idHash', 'historySeals.hash', 'historySeals.hashes', 'historySeals.signature']
  others.push('otpCodes.codeHash', 'sessions.tokenHash', 'shortcuts.iconData', 'tmpTokens.tokenHash')
  const sealed = SEALED.map(({ table, column }) => `${table}.${column}`)
  expect(rows.map(({ name }) => name).sort()).toEqual([...sealed, ...others].sort())
  await requireSealedWith(from)
})

test('nothing begins before every node holds the next key', async () => {
  const before = await settings()
  await expect(rotate(rotation())).rejects.toThrow('do not hold the next key')
  await put('secret.key.next', Buffer.from('not a key'))
  await node.report()
  await expect(rotate(rotation())).rejects.toThrow('do not hold the next key')
  expect(await settings()).toEqual(before)
  await requireSealedWith(from)
})

test('cut off in the middle, everything stays readable, and no node starts without both keys', async () => {
  await put('secret.key.next', NEXT)
  await node.report()
  const stuck = await startNodeReport({ ...app, key: makeKeyRing(from, to) })
  const pause = async () => {
    clock.advance(minutes(1))
    await Promise.all([node.report(), stuck.report()])
  }
  await expect(rotate({ ...rotation(), pause })).rejects.toThrow('do not seal with the next key yet')
  await stuck.stop()
  await requireSealedWith(from)
  let uses = 0
  const dying: SecretKey = {
    ...to,
    opening: () => [to],
    for: (purpose) => {
      if (purpose === 'mail' && ++uses > 500) throw new Error('killed')
      return to.for(purpose)
    },
  }
  await expect(rotate(rotation({ from, to: dying }))).rejects.toThrow('killed')
  expect(ring.fingerprint).toBe(to.fingerprint)
  const mails = await app.db.read.selectFrom('mails').select(['idx', 'body']).execute()
  expect(mails.every((mail) => openText(ring, mail) !== undefined)).toBe(true)
  for (const key of [from, to]) expect(mails.some((mail) => openText(key, mail) === undefined)).toBe(true)
  const alone = { file: join(folder, 'alone.key') }
  await put('alone.key', KEY)
  await expect(openSecretKey(app.db, alone)).rejects.toThrow(`rotated to the key ${to.fingerprint}, which is missing`)
  expect((await openSecretKey(app.db, source)).fingerprint).toBe(to.fingerprint)
})

test('under load the rotation continues and ends, and everything opens with the next key alone', async () => {
  await sealHistory({ ...app, key: ring })
  const load = { isOn: true }
  const writing = (async () => {
    for (let number = 0; load.isOn; number++) {
      await addMail(ring, 10_000 + number)
      await app.db.write.transaction().execute((tx) => updateSetting(tx, 'mailServer', mailServer, ring))
    }
  })()
  const { sealed, lost } = await rotate(rotation())
  load.isOn = false
  await writing
  expect(sealed).toBeGreaterThan(0)
  expect(lost).toBe(0)
  await requireSealedWith(to)
  expect(await historyOf(app.db, 'settingManage')).toContainEqual(
    expect.objectContaining({
      type: SettingManage.ROTATE_KEY,
      detail: expect.objectContaining({ targetValue: to.fingerprint, targetOldValue: from.fingerprint }),
    }),
  )
  const files = openFileStore({ medium: await openMedium(app.env.files), secretKey: to })
  const rows = await app.db.read.selectFrom('requestFiles').selectAll().orderBy('position').execute()
  const contents = rows.map(
    async ({ fileEximportIdx, position, fileName, storeName, wrappedKey, fileSize, sha256 }) => {
      const owner = `${fileEximportIdx}:${position}:${fileName}`
      const file = { owner, name: storeName, wrappedKey, size: fileSize, sha256 }
      return text(await files.read(file))
    },
  )
  expect(await Promise.all(contents)).toEqual(FILES.map(({ bytes }) => bytes.toString()))
})

test('once it is over, the next key alone starts the server, and the history is verified with the same public key', async () => {
  await expect(openSecretKey(app.db, { file: join(folder, 'alone.key') })).rejects.toThrow('not the one that')
  await put('alone.key', NEXT)
  const opened = await openSecretKey(app.db, { file: join(folder, 'alone.key') })
  await keepFingerprint(app.db, opened)
  await sealHistory({ ...app, key: opened })
  const { publicKey } = await findSealKey(app.db.read, from).catch(() => findSealKey(app.db.read, opened))
  expect(publicKey).toBe(sealKeyOf(from).publicKey)
  const verified = await verifyHistory(app.db.read, { publicKey, keptSince: new Date(0) })
  expect(verified).toMatchObject({ finding: undefined, unsealed: 0 })
  // The last seal that the node keeps is signed with the same key.
  const kept = await findHeadFile(app.env, publicKey)
  expect(kept).toMatchObject({ no: verified.head?.no, hash: verified.head?.hash })
})

test('a second rotation leaves the key of the seals as it is, and a value that neither key opens', async () => {
  const third = makeSecretKey(randomBytes(32))
  await put('secret.key', NEXT)
  await app.db.write
    .updateTable('mails')
    .set({ body: Buffer.alloc(40) })
    .where('subject', '=', '0')
    .execute()
  const thirdFile = join(folder, 'secret.key.next')
  await rm(thirdFile)
  const refreshed = makeKeyRing(to, third)
  const other = await startNodeReport({ ...app, key: refreshed }, async () => {
    const { next } = await findKeyNames(app.db.read)
    if (next !== undefined) refreshed.use([third, to])
  })
  await node.stop()
  const { lost } = await rotate({ db: app.db, clock, keys: { from: to, to: third }, pause: () => other.report() })
  await other.stop()
  expect(lost).toBe(1)
  expect((await findSealKey(app.db.read, third)).publicKey).toBe(sealKeyOf(from).publicKey)
})
