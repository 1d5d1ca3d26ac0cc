// Stored files in a bucket of an S3 service. A file is a row of objects (`4fa0.../000000`), each of BLOCK bytes but the
// last. An interrupted upload keeps its objects, which a multipart upload does not promise, and only the last one is
// ever rewritten. Reasons and requirements: docs/decisions/10-files.md.

import type { BucketPlace } from '../env.files.ts'
import { openBlocks } from './bucketBlocks.ts'
import { type Objects, openObjects } from './bucketObjects.ts'
import { FileStoreError } from './errors.ts'
import type { Medium, OpenMode, Stage, StoredBytes } from './medium.ts'
import { isName } from './names.ts'

const IDLE = 30_000
/** Objects that are removed at once. */
const REMOVED_AT_ONCE = 16
/** An object that shows whether files can be written. */
const PROBE = '.writable'

/** `idle`: milliseconds without a byte after which a connection counts as broken. */
export const openBucket = (place: BucketPlace, idle = IDLE): Medium => mediumOf(openObjects(place, idle), place)

function mediumOf(objects: Objects, place: BucketPlace): Medium {
  return {
    open: (name, mode) => openFile(objects, name, mode),
    size: async (name) => (await openFile(objects, name, 'read')).size(),
    remove: (name) => removeBelow(objects, `${name}/`),
    names: () => namesOf(objects),
    writtenDT: async (name) => {
      let last: Date | undefined
      for await (const { writtenDT } of objects.list(`${name}/`))
        if (last === undefined || writtenDT > last) last = writtenDT
      return last
    },
    free: async () => undefined,
    check: () => objects.put(PROBE, Buffer.from('yes')),
    stage: (again) => stageIn(objects, place, again),
  }
}

/** A file has no object before its first byte. */
async function openFile(objects: Objects, name: string, mode: OpenMode): Promise<StoredBytes> {
  const sizes: number[] = []
  if (mode === 'read' || mode === 'append') for await (const { size } of objects.list(`${name}/`)) sizes.push(size)
  if (mode === 'read' && sizes.length === 0) throw new FileStoreError('missing', `file ${name} is not in the bucket`)
  return openBlocks(objects, name, sizes)
}

async function removeBelow(objects: Objects, prefix: string): Promise<void> {
  const keys: string[] = []
  const removeAll = () => Promise.all(keys.splice(0).map((key) => objects.remove(key)))
  for await (const { key } of objects.list(prefix)) {
    keys.push(key)
    if (keys.length === REMOVED_AT_ONCE) await removeAll()
  }
  await removeAll()
}

/** Objects are listed in the order of their keys. */
async function* namesOf(objects: Objects): AsyncGenerator<readonly string[]> {
  let names: string[] = []
  for await (const { key } of objects.list('')) {
    const [name = ''] = key.split('/')
    const last = names.at(-1)
    if (!isName(name) || name === last) continue
    if (last !== undefined && last.slice(0, 2) !== name.slice(0, 2)) {
      yield names
      names = []
    }
    names.push(name)
  }
  if (names.length > 0) yield names
}

/** A bucket has no way to move files: they are written to their places, and removed again where a restore fails. */
async function stageIn(objects: Objects, { name: bucket, prefix }: BucketPlace, again = false): Promise<Stage> {
  if (again)
    for await (const names of namesOf(objects)) for (const name of names) await removeBelow(objects, `${name}/`)
  for await (const { key } of objects.list(''))
    if (key !== PROBE) throw new FileStoreError('occupied', `s3://${bucket}/${prefix} is not empty (${key})`)
  const created: string[] = []
  return {
    create: (name) => {
      created.push(name)
      return openFile(objects, name, 'create')
    },
    place: async () => {
      created.length = 0
    },
    discard: async () => {
      for (const name of created) await removeBelow(objects, `${name}/`)
    },
  }
}
