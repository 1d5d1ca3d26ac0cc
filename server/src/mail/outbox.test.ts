import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { MailError } from './errors.ts'
import { plainTextOf } from './mail.fixture.ts'
import type { OutgoingMail } from './message.ts'
import { clearOutbox, writeToOutbox } from './outbox.ts'

let base: string
beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'acc-outbox-'))
})
afterAll(() => rm(base, { recursive: true, force: true }))

const mail: OutgoingMail = {
  idx: 17,
  createDT: new Date('2026-11-21T04:03:02.001Z'),
  senderName: 'ACC',
  to: 'gildong@example.com',
  subject: '임시 비밀번호',
  text: '홍길동님, 임시 비밀번호: aB3$\n',
  html: '<p>aB3$</p>',
}

test('a mail becomes one whole file that only its owner reads', async () => {
  const folder = join(base, 'fresh', 'outbox')
  await writeToOutbox(folder, mail)
  expect(await readdir(folder)).toEqual(['20261121T040302Z-17.eml'])
  const file = join(folder, '20261121T040302Z-17.eml')
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect((await stat(folder)).mode & 0o777).toBe(0o700)
  const source = await readFile(file, 'utf8')
  expect(source).toContain('From: ACC <noreply@localhost>\r\n')
  expect(source).toContain('To: gildong@example.com\r\n')
  expect(plainTextOf(source)).toContain('홍길동님, 임시 비밀번호: aB3$')
})

test('a mail written twice is one file', async () => {
  const folder = join(base, 'twice')
  await writeToOutbox(folder, mail)
  await writeToOutbox(folder, mail)
  expect(await readdir(folder)).toHaveLength(1)
})

test('an outbox that cannot be written is an error without a path, and leaves no draft', async () => {
  const folder = join(base, 'blocked')
  await writeFile(folder, 'a file where the folder should be')
  const error = await writeToOutbox(folder, mail).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(MailError)
  expect(error).toMatchObject({ isPermanent: false, message: 'the outbox cannot be written: EEXIST' })
})

test('old mails are deleted, newer ones and foreign files remain; a missing folder is empty', async () => {
  const folder = join(base, 'old')
  await writeToOutbox(folder, mail)
  await writeToOutbox(folder, { ...mail, idx: 18, createDT: new Date('2026-11-22T04:03:02Z') })
  await writeFile(join(folder, 'notes.txt'), '')
  await clearOutbox(folder, new Date('2026-11-22T00:00:00Z'))
  expect((await readdir(folder)).sort()).toEqual(['20261122T040302Z-18.eml', 'notes.txt'])
  await clearOutbox(join(base, 'nowhere'), new Date())
})
