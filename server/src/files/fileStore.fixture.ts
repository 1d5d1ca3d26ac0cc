// What the tests of the file store share: a store in a folder of its own, and bytes that parent and child processes can
// both make.
import { createCipheriv, createHash } from 'node:crypto'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { makeSecretKey } from '../crypto/secretKey.ts'
import { type FileStore, openFileStore, type StoredFile } from './fileStore.ts'
import { openFolder } from './folder.ts'
import type { Medium } from './medium.ts'
import { pathOf } from './names.ts'

export const testKey = makeSecretKey(Buffer.alloc(32, 7))

export type TestStore = FileStore & { medium: Medium; folder: string; [Symbol.asyncDispose](): Promise<void> }

/** `await using store = await testStore()`: the folder goes when the test ends. */
export async function testStore(): Promise<TestStore> {
  const folder = await mkdtemp(join(tmpdir(), 'acc-files-'))
  const medium = await openFolder(folder)
  const store = openFileStore({ medium, secretKey: testKey })
  return { ...store, medium, folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) }
}

/** The same bytes for the same size and seed, in every process. */
export function bytesOf(size: number, seed = 1): Buffer {
  return createCipheriv('aes-128-ctr', Buffer.alloc(16, seed), Buffer.alloc(16)).update(Buffer.alloc(size))
}

const owner = 'row 1 of request 1'

export function reserve(store: FileStore, bytes: Buffer): StoredFile {
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  return { ...store.create(owner, bytes.length, sha256), owner, size: bytes.length, sha256 }
}

/** A file that has arrived whole. */
export async function put(store: FileStore, bytes: Buffer): Promise<StoredFile> {
  const file = reserve(store, bytes)
  await store.append(file, 0, pieces(bytes))
  return file
}

export async function contentOf(store: FileStore, file: StoredFile): Promise<Buffer> {
  return buffer(await store.read(file))
}

/** The bytes in pieces of up to `length`, as a connection would bring them; then it ends, or fails with `failure`. */
export async function* pieces(bytes: Buffer, length = 65_536, failure?: Error): AsyncGenerator<Buffer> {
  for (let from = 0; from < bytes.length; from += length) yield bytes.subarray(from, from + length)
  if (failure) throw failure
}

export function pathOfFile(store: TestStore, { name }: StoredFile): string {
  return pathOf(store.folder, name)
}

/** All files in the folder, wherever they lie. */
export async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true })
  const statuses = await Promise.all(entries.map((entry) => stat(join(folder, entry))))
  return entries.filter((_, index) => statuses[index]?.isFile())
}
