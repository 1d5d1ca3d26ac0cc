// Local files to upload: hashes, offsets, and changes that are detected during the upload.
import { createHash, randomBytes } from 'node:crypto'
import { appendFile, mkdtemp, rename, rm, truncate, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll, expect, test } from 'vitest'
import { readFrom, readLocalFile } from './localFiles.ts'

const folder = await mkdtemp(join(tmpdir(), 'acc-files-'))
afterAll(() => rm(folder, { recursive: true }))

let made = 0
async function makeFile(size: number) {
  const path = join(folder, `file-${made++}.bin`)
  const bytes = randomBytes(size)
  await writeFile(path, bytes)
  return { path, bytes }
}

test.each([0, 1, 256 * 1024, 256 * 1024 + 1, 3_000_000])(
  'a file of %i bytes is hashed and read from anywhere',
  async (size) => {
    const { path, bytes } = await makeFile(size)
    const file = await readLocalFile(path)
    expect(file).toMatchObject({ size, sha256: createHash('sha256').update(bytes).digest('hex') })
    for (const offset of new Set([0, Math.floor(size / 2), Math.max(0, size - 1), size])) {
      expect((await buffer(readFrom(file, offset))).equals(bytes.subarray(offset))).toBe(true)
    }
  },
)

test('the name goes without its folders, in NFC', async () => {
  const path = join(folder, '보고서.pdf'.normalize('NFD'))
  await writeFile(path, 'x')
  expect((await readLocalFile(path)).name).toBe('보고서.pdf'.normalize('NFC'))
})

test.each([
  ['grew', (path: string) => appendFile(path, 'more')],
  ['shrank', (path: string) => truncate(path, 10)],
  [
    'was written again',
    async (path: string) => {
      await writeFile(path, randomBytes(1000))
      await utimes(path, new Date(), new Date(1))
    },
  ],
  [
    'was replaced',
    async (path: string) => {
      const other = await makeFile(1000)
      await rename(other.path, path)
    },
  ],
])('a file that %s is not sent', async (_what, change) => {
  const { path } = await makeFile(1000)
  const file = await readLocalFile(path)
  await change(path)
  await expect(buffer(readFrom(file, 0))).rejects.toThrow('changed')
})

test('a file that changes while it is sent stops before its end', async () => {
  const { path } = await makeFile(1_000_000)
  const file = await readLocalFile(path)
  let sent = 0
  const sending = (async () => {
    for await (const chunk of readFrom(file, 0)) {
      if (sent === 0) await appendFile(path, 'more')
      sent += chunk.length
    }
  })()
  await expect(sending).rejects.toThrow('changed')
  expect(sent).toBeLessThan(1_000_000)
})

test('a folder, and a name that cannot be sent, are refused', async () => {
  await expect(readLocalFile(folder)).rejects.toThrow('not a file')
  if (process.platform === 'win32') return
  const path = join(folder, 'two\nlines.txt')
  await writeFile(path, 'x')
  await expect(readLocalFile(path)).rejects.toThrow('cannot be sent')
})

test('a name that hides what it is says where', async () => {
  if (process.platform === 'win32') return
  const path = join(folder, 'report\u202excod.exe')
  await writeFile(path, 'x')
  const error = await readLocalFile(path).catch((reason: Error) => reason)
  expect(error).toMatchObject({ message: expect.stringContaining('report<U+202E>xcod.exe') })
  expect(String(error)).not.toContain('\u202e')
})
