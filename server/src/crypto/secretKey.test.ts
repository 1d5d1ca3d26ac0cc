import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { findSecretKey, firstSecretKey, makeSecretKey, SecretKeyError } from './secretKey.ts'

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'acc-key-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

describe('the key file', () => {
  test('is made at the first start, for its owner alone, and read from then on', async () => {
    const file = join(folder, 'data', 'secret.key')
    const made = await firstSecretKey(file)
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect(Buffer.from((await readFile(file, 'utf8')).trim(), 'base64')).toHaveLength(32)
    expect((await findSecretKey({ file }))?.fingerprint).toBe(made.fingerprint)
    expect(await readdir(join(folder, 'data'))).toEqual(['secret.key'])
  })

  test('that is not there is looked for and not made', async () => {
    expect(await findSecretKey({ file: join(folder, 'secret.key') })).toBeUndefined()
    expect(await readdir(folder)).toEqual([])
  })

  test('is one and the same for servers that start at once', async () => {
    const file = join(folder, 'secret.key')
    const starts = Array.from({ length: 40 }, async (_, wait) => {
      for (let turn = 0; turn < wait; turn++) await new Promise(setImmediate)
      return firstSecretKey(file)
    })
    const keys = await Promise.all(starts)
    expect(new Set(keys.map(({ fingerprint }) => fingerprint)).size).toBe(1)
    expect(await readdir(folder)).toEqual(['secret.key'])
  })

  test('that is a folder, or lies below a file, is reported in one line', async () => {
    await expect(findSecretKey({ file: folder })).rejects.toThrow(`${folder}: the secret key cannot be read (EISDIR)`)
    const file = join(folder, 'file')
    await writeFile(file, '')
    await expect(findSecretKey({ file: join(file, 'key') })).rejects.toThrow('the secret key cannot be read (ENOTDIR)')
  })

  test('that others may read is refused with the command that mends it', async () => {
    const file = join(folder, 'secret.key')
    await writeFile(file, randomBytes(32).toString('base64'))
    await chmod(file, 0o640)
    await expect(findSecretKey({ file })).rejects.toThrow(
      new SecretKeyError(`${file}: others may read the secret key: chmod 600 ${file}`),
    )
  })

  test.each([
    ['empty', ''],
    ['31 bytes', randomBytes(31).toString('base64')],
    ['33 bytes', randomBytes(33).toString('base64')],
    ['hex', randomBytes(32).toString('hex')],
    ['base64url', Buffer.alloc(32, 0xff).toString('base64url')],
    [
      'a stray character',
      `${randomBytes(32).toString('base64').slice(0, 20)}-${randomBytes(32).toString('base64').slice(20)}`,
    ],
  ])('or a setting with %s instead of a key is refused, and not shown', async (_what, text) => {
    const file = join(folder, 'secret.key')
    await writeFile(file, text, { mode: 0o600 })
    const expected = expect.objectContaining({
      name: 'SecretKeyError',
      message: expect.stringContaining('32 bytes in base64'),
    })
    const failures = await Promise.allSettled([findSecretKey({ file }), findSecretKey({ value: text, file })])
    for (const failure of failures) {
      expect(failure).toEqual({ status: 'rejected', reason: expected })
      if (text !== '') expect(inspect(failure)).not.toContain(text)
    }
  })
})

describe('a secret key', () => {
  test('given as a setting leaves no file', async () => {
    const value = randomBytes(32).toString('base64')
    const key = await findSecretKey({ value, file: join(folder, 'secret.key') })
    expect(key?.fingerprint).toBe((await findSecretKey({ value: `${value}\n`, file: '' }))?.fingerprint)
    expect(await readdir(folder)).toEqual([])
  })

  test('gives each purpose a key of its own, the same each time, for good', () => {
    const key = makeSecretKey(Buffer.alloc(32, 1))
    const files = key.for('files').export()
    expect(files).toEqual(makeSecretKey(Buffer.alloc(32, 1)).for('files').export())
    // Fixed: another derivation would leave everything sealed so far shut.
    expect(files.toString('hex')).toBe('e15b3414a11abe302e4ab2b7971203be99b237850c22dc5967cfe3e700df6111')
    const others = [key.for('mail'), key.for('File'), makeSecretKey(Buffer.alloc(32, 2)).for('files')]
    for (const other of others) expect(other.export()).not.toEqual(files)
  })

  test('shows nothing of itself when it is printed or turned into JSON', () => {
    const bytes = randomBytes(32)
    const key = makeSecretKey(bytes)
    key.for('files')
    const shown = inspect(key, { depth: 9, showHidden: true }) + JSON.stringify(key)
    expect(shown).toContain(key.fingerprint)
    for (const form of ['hex', 'base64'] as const) expect(shown).not.toContain(bytes.toString(form).slice(0, 12))
  })
})
