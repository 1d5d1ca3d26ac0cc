// WAL in the archive: each segment once, never another one in its place, and none that is missing unseen.
import { randomBytes } from 'node:crypto'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, truncate, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { backupKeyOf } from '../backup/key.ts'
import { systemClock } from '../clock.ts'
import { makeSecretKey } from '../crypto/secretKey.ts'
import { openArchiver } from './archiver.ts'
import type { Base } from './bases.ts'
import { findWal } from './bases.ts'
import { type Archive, findPieces, readSegment, SEGMENT_SIZE, writePiece } from './pieces.ts'
import { findStart } from './recover.ts'

const WAIT = { timeout: 10_000 }
const keyOf = (byte: number) => backupKeyOf(makeSecretKey(Buffer.alloc(32, byte)))
const key = keyOf(5)
const SYSTEM = '7512345678901234567'
const nameOf = (number: number) => `0000000100000000${number.toString(16).toUpperCase().padStart(8, '0')}`

async function testArchive() {
  const root = await mkdtemp(join(tmpdir(), 'acc-pieces-'))
  const archive: Archive = { root, id: 'id', key }
  return {
    root,
    archive,
    /** Archives a segment that was written at a second. */
    add: async (number: number, content: string | Buffer = `segment ${number}`, second = number, as = archive) => {
      const path = join(root, 'segment')
      await writeFile(path, content)
      await utimes(path, second, second)
      return writePiece(as, SYSTEM, nameOf(number), path)
    },
    base: (start: number, end: number): Base => ({
      ...{ format: 1, version: '1.0.0', id: 'id', keyFingerprint: key.fingerprint, begun: '', moment: '' },
      ...{
        system: SYSTEM,
        timeline: 1,
        start,
        end,
        isContinued: false,
        size: 0,
        paths: [],
        label: '',
        name: 'base',
      },
    }),
    [Symbol.asyncDispose]: () => rm(root, { recursive: true }),
  }
}

test('a segment is archived once, also under a later key, and another one never takes its place', async () => {
  await using archive = await testArchive()
  expect(await archive.add(1)).toEqual(new Date(1_000))
  await archive.add(1)
  await archive.add(1, 'segment 1', 1, { ...archive.archive, key: keyOf(8) })
  await expect(archive.add(1, 'another one')).rejects.toThrow(/holds another segment 000000010000000000000001/)
  const [piece, ...others] = await findPieces(archive.root, SYSTEM)
  if (piece === undefined) throw new Error('there is no piece')
  const throughDT = new Date(1_000)
  expect(piece).toMatchObject({ name: nameOf(1), timeline: 1, number: 1, throughDT, fingerprint: key.fingerprint })
  expect(others).toEqual([])
  const file = join(archive.root, 'read')
  await readSegment(archive.archive, piece, file)
  const content = Buffer.concat([Buffer.from('segment 1')], SEGMENT_SIZE)
  expect((await readFile(file)).equals(content), 'as long as a segment').toBe(true)
  expect(await readdir(join(archive.root, 'wal', SYSTEM))).toHaveLength(1)
})

/** Ways to damage a segment, with the line that names the fault. */
const FAULTS: [string, (part: string, other: string) => Promise<unknown>, RegExp][] = [
  ['cut short', (part) => truncate(part, 900), /wal\/.*cut/],
  ['cut to nothing', (part) => truncate(part, 0), /wal\/.*cut/],
  ['cut within its head', (part) => truncate(part, 29), /wal\/.*cut/],
  ['in the place of another', (part, other) => cp(other, part), /wal\/.*belongs to another/],
]

test.each(FAULTS)('a segment %s is refused', async (_, spoil, line) => {
  await using archive = await testArchive()
  for (const number of [1, 2]) await archive.add(number, randomBytes(3_000))
  const [piece, other] = await findPieces(archive.root, SYSTEM)
  if (piece === undefined || other === undefined) throw new Error('there are no pieces')
  await spoil(join(archive.root, piece.part), join(archive.root, other.part))
  await expect(readSegment(archive.archive, piece, join(archive.root, 'read'))).rejects.toThrow(line)
})

test('WAL leads to the first gap, and to the first segment of another key', async () => {
  await using archive = await testArchive()
  for (const number of [254, 255, 256, 258]) await archive.add(number)
  await archive.add(259, 'segment 259', 259, { ...archive.archive, key: keyOf(8) })
  const found = await findWal(archive.root, archive.base(255, 255))
  expect([found.pieces.map(({ number }) => number), found.behindGap?.number]).toEqual([[255, 256], 258])
  const other = await findWal(archive.root, archive.base(258, 258))
  expect([other.pieces.map(({ number }) => number), other.behindGap]).toEqual([[258], undefined])
  const start = (until?: number) =>
    findStart(archive.archive, archive.base(255, 255), until === undefined ? undefined : new Date(until))
  await expect(start()).rejects.toThrow(
    /^WAL is missing from .* before .*\. The archive can be restored up to 1970-01-01T00:04:16\.000Z \(--until\)\.$/,
  )
  expect((await start(256_000)).throughDT).toEqual(new Date(256_000))
  await expect(start(256_001)).rejects.toThrow(/WAL is missing/)
})

test('a link in the place of a segment is refused, since it may lead to any file of the server', async () => {
  await using archive = await testArchive()
  const path = join(archive.root, 'segment')
  await symlink(join(import.meta.dirname, 'pieces.ts'), path)
  await expect(writePiece(archive.archive, SYSTEM, nameOf(1), path)).rejects.toThrow(/ELOOP/)
  expect(await findPieces(archive.root, SYSTEM)).toEqual([])
})

test('an empty end of a segment is not stored', async () => {
  await using archive = await testArchive()
  const content = Buffer.alloc(SEGMENT_SIZE)
  content.set([7], 8192 * 3 - 1)
  await archive.add(1, content)
  const [piece] = await findPieces(archive.root, SYSTEM)
  if (piece === undefined) throw new Error('there is no piece')
  expect((await stat(join(archive.root, piece.part))).size).toBeLessThan(1_000)
  await readSegment(archive.archive, piece, join(archive.root, 'read'))
  expect((await readFile(join(archive.root, 'read'))).equals(content)).toBe(true)
})

test('WAL waits for an archive that is away, and is given up before it fills the disk', async () => {
  await using archive = await testArchive()
  const wal = join(archive.root, 'pg/pg_wal')
  await mkdir(wal, { recursive: true })
  const place = { root: join(archive.root, 'away'), dataDir: archive.root, keep: 7, clock: systemClock }
  const { take, start, stop } = openArchiver({ ...place, log: pino({ level: 'silent' }) })
  for (let number = 1; number <= 256; number++) await writeFile(join(wal, nameOf(number)), '')
  let isTaken = false
  const taking = take(nameOf(1), join(wal, nameOf(1))).then(() => {
    isTaken = true
  })
  const never = () => Promise.reject(new Error('there is no database'))
  const { status } = start({ db: { connection: { host: archive.root } } as never, store: {} as never, findKey: never })
  await expect.poll(() => status().failure, WAIT).toBe('there is no database')
  expect(isTaken, 'which PostgreSQL waits for').toBe(false)
  await writeFile(join(wal, nameOf(257)), '')
  await taking
  expect(status()).toMatchObject({ throughDT: null, failure: expect.any(String) })
  await rm(join(wal, nameOf(257)))
  const last = take(nameOf(1), join(wal, nameOf(1)))
  await stop()
  await expect(last, 'which PostgreSQL has to keep').rejects.toThrow()
})
