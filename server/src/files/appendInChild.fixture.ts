// A server that receives one file and dies, or fills its disk, while it does: run by fileStore.faults.test.ts as a
// process of its own. Arguments: the folder, then the StoredFile as JSON with the seed of its bytes and, optionally,
// after how many of them the source falls silent. Writes to standard output, a line each, how many bytes it has handed
// to the store, and last how it ended.

import { FileStoreError } from './errors.ts'
import { bytesOf, pieces, testKey } from './fileStore.fixture.ts'
import { openFileStore, type StoredFile } from './fileStore.ts'
import { openFolder } from './folder.ts'

const [folder = '', json = '{}'] = process.argv.slice(2)
type Task = Omit<StoredFile, 'wrappedKey'> & { wrappedKey: string; seed: number; silentAt?: number }
const { wrappedKey, seed, silentAt = Number.POSITIVE_INFINITY, ...stored }: Task = JSON.parse(json)
const file = { ...stored, wrappedKey: Buffer.from(wrappedKey, 'base64') }

async function* telling() {
  let given = 0
  for await (const piece of pieces(bytesOf(file.size, seed))) {
    given += piece.length
    yield piece
    process.stdout.write(`${given}\n`)
    if (given >= silentAt) await new Promise(() => process.stdin.resume())
  }
}

const store = openFileStore({ medium: await openFolder(folder), secretKey: testKey })
try {
  const progress = await store.append(file, 0, telling())
  process.stdout.write(`${JSON.stringify(progress)}\n`)
} catch (error) {
  if (!(error instanceof FileStoreError)) throw error
  process.stdout.write(`${JSON.stringify({ reason: error.reason, received: await store.received(file) })}\n`)
}
