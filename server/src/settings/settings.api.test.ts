// Settings at rest: typed, sealed where they are secret, and never shown where they do not read.
import { expect, test } from 'vitest'
import { startTestApp } from '../../test/app.ts'
import { makeSecretKey } from '../crypto/secretKey.ts'
import type { Tx } from '../db/open.ts'
import { findSetting, findSettings, hasSetting, insertSetting, updateSetting } from './settings.ts'

const { app } = await startTestApp()
const { db, key } = app
const SERVER = {
  serverAddress: 'mail.example.com',
  serverPort: 587,
  encrypt: 2,
  senderEmail: 'acc@example.com',
  id: 'acc',
  pw: 'smtp-secret',
  receiverEmail: 'admin@example.com',
} as const
const write = <T>(work: (tx: Tx) => Promise<T>) => db.write.transaction().execute(work)

test('a secret field is sealed at rest and reads back with the key alone', async () => {
  expect(await hasSetting(db.read, 'mailServer')).toBe(false)
  expect(await findSetting(db.read, 'mailServer', key)).toBeUndefined()
  await write((tx) => updateSetting(tx, 'mailServer', SERVER, key))
  const row = await db.read
    .selectFrom('settings')
    .selectAll()
    .where('name', '=', 'mailServer')
    .executeTakeFirstOrThrow()
  expect(JSON.stringify(row)).not.toContain('smtp-secret')
  expect(JSON.stringify(row)).toContain('mail.example.com')
  expect(await findSetting(db.read, 'mailServer', key)).toEqual(SERVER)
  const other = makeSecretKey(Buffer.alloc(32, 9))
  await expect(findSetting(db.read, 'mailServer', other)).rejects.toThrow('the setting mailServer cannot be read')
})

test('a sealed field of another row does not open, and a value of another shape does not read', async () => {
  await write((tx) => updateSetting(tx, 'mailServer', SERVER, key))
  const value = { ...SERVER, pw: Buffer.from('not sealed').toString('base64') }
  await db.write
    .updateTable('settings')
    .set({ value: JSON.stringify(value) })
    .where('name', '=', 'mailServer')
    .execute()
  await expect(findSetting(db.read, 'mailServer', key)).rejects.toThrow('cannot be read')
  await db.write
    .updateTable('settings')
    .set({ value: JSON.stringify({ pw: 1 }) })
    .where('name', '=', 'mailServer')
    .execute()
  const failure = await findSetting(db.read, 'mailServer', key).catch((error: Error) => error.message)
  expect(failure).toBe('the setting mailServer cannot be read')
})

test('an insert keeps the stored value, an update replaces it', async () => {
  expect(await write((tx) => insertSetting(tx, 'evaluationOutbox', true))).toBe(true)
  expect(await write((tx) => insertSetting(tx, 'evaluationOutbox', true))).toBe(false)
  await write((tx) => updateSetting(tx, 'mailServer', { ...SERVER, serverPort: 25 }, key))
  await write((tx) => updateSetting(tx, 'mailServer', { ...SERVER, serverPort: 26 }, key))
  expect((await findSetting(db.read, 'mailServer', key))?.serverPort).toBe(26)
})

test('several settings are read at once, without those that are not set', async () => {
  await write((tx) => updateSetting(tx, 'overdueHours', 0))
  expect(await findSettings(db.read, ['overdueHours', 'requestExpiry'])).toEqual({ overdueHours: 0 })
  await db.write.updateTable('settings').set({ value: '"late"' }).where('name', '=', 'overdueHours').execute()
  await expect(findSettings(db.read, ['overdueHours'])).rejects.toThrow('the setting overdueHours cannot be read')
})
