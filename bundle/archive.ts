// Makes the archive and its sums: equal byte for byte for equal content and moment. GNU tar writes sorted names with
// one owner, one moment and two modes. Node's own zlib compresses, so that the version of gzip does not matter.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream, createWriteStream } from 'node:fs'
import { cp, mkdir, readdir, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type { File, Link } from './content.ts'
import { ROOT } from './packages.ts'

export async function copyFiles(folder: string, files: readonly File[]): Promise<void> {
  for (const { from, to } of files) {
    await mkdir(dirname(join(folder, to)), { recursive: true })
    await cp(join(ROOT, from), join(folder, to), { errorOnExist: true, force: false })
  }
}

export async function makeLinks(folder: string, links: readonly Link[]): Promise<void> {
  for (const { to, target } of links) {
    await mkdir(dirname(join(folder, to)), { recursive: true })
    await symlink(target, join(folder, to))
  }
}

export async function writeFiles(folder: string, files: ReadonlyMap<string, string>): Promise<void> {
  await mkdir(folder, { recursive: true })
  for (const [name, text] of files) await writeFile(join(folder, name), text)
}

export async function sha256(file: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const bytes of createReadStream(file)) hash.update(bytes)
  return hash.digest('hex')
}

const byName = (a: string, b: string) => (a < b ? -1 : 1)

/** Writes the folder's SHA256SUMS for `sha256sum --check`. */
export async function writeSums(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const names = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
  const lines: string[] = []
  for (const name of names.sort(byName)) lines.push(`${await sha256(join(folder, name))}  ${name}\n`)
  await writeFile(join(folder, 'SHA256SUMS'), lines.join(''))
}

/** Packs `parent/name` into `file`, with `date` on every entry. */
export async function pack(parent: string, name: string, file: string, date: Date): Promise<void> {
  const fixed = ['--sort=name', '--format=gnu', '--owner=0', '--group=0', '--numeric-owner', '--mode=u=rwX,go=rX']
  const moment = `--mtime=@${Math.floor(date.getTime() / 1000)}`
  const tar = spawn('tar', ['--create', ...fixed, moment, '-C', parent, name], {
    env: { ...process.env, LC_ALL: 'C', TAR_OPTIONS: '' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(tar, 'close')
  await pipeline(tar.stdout, createGzip({ level: 9 }), createWriteStream(file))
  const [status] = await ended
  if (status !== 0) throw new Error(`tar ended with status ${status}.`)
}
