// Which WAL leads to a moment: in its order, also where some was written twice, and never over a gap.
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { backupKeyOf } from '../backup/key.ts'
import { makeSecretKey } from '../crypto/secretKey.ts'
import { writeChunk } from './chunks.ts'
import { lsnText, parseLsn, SEGMENT_SIZE } from './lsn.ts'
import { layWal } from './plan.ts'
import { WalStream } from './replication.ts'
import { createSeries } from './series.ts'

const key = backupKeyOf(makeSecretKey(Buffer.alloc(32, 5)))
const FIRST = BigInt(SEGMENT_SIZE)
const NAME = '000000010000000000000001'

/** A series with pieces of known WAL, each by where it begins and ends and the second that it is through. */
async function testSeries(pieces: readonly (readonly [from: number, to: number, through: number])[]) {
  const root = await mkdtemp(join(tmpdir(), 'acc-plan-'))
  const system = { systemId: '1', timeline: 1, flushed: 0n }
  const series = await createSeries(root, key, { version: '1.0.0', now: new Date(0), system })
  const wal = Buffer.alloc(9000, 'the WAL of this database. ')
  for (const [from, to, through] of pieces)
    await writeChunk(series, FIRST + BigInt(from), wal.subarray(from, to), through * 1000)
  const lay = (second?: number) => {
    const base = { start: lsnText(FIRST + 100n), end: lsnText(FIRST + 200n) }
    const known = { format: 1, version: '1.0.0', id: '', keyFingerprint: '', begun: '', moment: '', size: 0 } as const
    const start = { series, base: { name: 'base', folder: '', manifest: { ...known, ...base } } }
    return layWal(start, second === undefined ? undefined : new Date(second * 1000), join(root, 'pg'))
  }
  const laid = async () => (await readFile(join(root, 'pg', 'pg_wal', NAME))).subarray(0, wal.length)
  return { lay, laid, wal, [Symbol.asyncDispose]: () => rm(root, { recursive: true }) }
}

test('WAL that was written twice, by an attempt that was given up, is laid once', async () => {
  await using series = await testSeries([
    [0, 3000, 10],
    [3000, 5000, 20],
    [3000, 7000, 30],
    [4000, 6000, 25],
    [6500, 9000, 40],
  ])
  expect(await series.lay()).toEqual(new Date(40_000))
  expect((await series.laid()).equals(series.wal)).toBe(true)
})

test('a gap is one line, which names the last moment before it', async () => {
  await using series = await testSeries([
    [0, 3000, 10],
    [3001, 9000, 20],
  ])
  await expect(series.lay()).rejects.toThrow(
    /^WAL is missing from .* before 0000000001000BB9-\S+\. The archive can be restored up to 1970-01-01T00:00:10\.000Z \(--until\)\.$/,
  )
  expect(await series.lay(10)).toEqual(new Date(10_000))
  await expect(series.lay(11)).rejects.toThrow(/WAL is missing/)
})

test('WAL counts as complete up to the moment of the message before, never up to its own', () => {
  const seen: unknown[] = []
  const stream = new WalStream(
    { slot: 'acc', position: FIRST, timeline: 1 },
    {
      take: (bytes, through) => seen.push([bytes.length, through]),
      rest: (through) => seen.push(through),
    },
  )
  const EPOCH = Date.UTC(2000, 0)
  const send = (kind: 'w' | 'k', position: bigint, flushed: bigint, second: number) => {
    const chunk = Buffer.alloc(kind === 'w' ? 35 : 18)
    chunk.write(kind)
    chunk.writeBigInt64BE(position, 1)
    if (kind === 'w') chunk.writeBigInt64BE(flushed, 9)
    chunk.writeBigInt64BE(BigInt(second) * 1_000_000n, kind === 'w' ? 17 : 9)
    stream.handleCopyData({ chunk })
  }
  send('w', FIRST, FIRST + 10n, 1)
  send('w', FIRST + 10n, FIRST + 20n, 2)
  send('w', FIRST + 20n, FIRST + 99n, 3)
  send('k', FIRST + 30n, 0n, 4)
  send('w', FIRST + 30n, FIRST + 40n, 5)
  send('k', FIRST + 40n, 0n, 6)
  expect(seen).toEqual([[10, undefined], [10, EPOCH + 1000], [10, undefined], [10, EPOCH + 4000], EPOCH + 5000])
  expect(parseLsn(lsnText(FIRST))).toBe(FIRST)
})
