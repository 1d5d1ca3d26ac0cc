// Reads the tar file of a base backup (POSIX ustar, as PostgreSQL writes it: names up to 100 characters, files and folders).
import { type FileHandle, mkdir, open } from 'node:fs/promises'
import { isAbsolute, join, normalize } from 'node:path'

const BLOCK = 512
const [FILE, FOLDER] = ['0', '5']

/** Bytes in the pieces that are asked for. */
class Pieces {
  readonly #source: AsyncIterator<Buffer>
  #rest: Buffer = Buffer.alloc(0)
  constructor(source: AsyncIterable<Buffer>) {
    this.#source = source[Symbol.asyncIterator]()
  }
  /** At most so many bytes, at least one. */
  async some(length: number): Promise<Buffer> {
    while (this.#rest.length === 0) {
      const { done, value } = await this.#source.next()
      if (done === true) throw new Error('the base backup ends too early')
      this.#rest = value
    }
    const piece = this.#rest.subarray(0, length)
    this.#rest = this.#rest.subarray(piece.length)
    return piece
  }
  async exactly(length: number): Promise<Buffer> {
    const parts: Buffer[] = []
    for (let missing = length; missing > 0; ) {
      const piece = await this.some(missing)
      parts.push(piece)
      missing -= piece.length
    }
    return Buffer.concat(parts)
  }
  /** Reads to the end, so that all of it is authenticated. */
  async drain(): Promise<void> {
    while ((await this.#source.next()).done !== true);
  }
}

const textAt = (head: Buffer, at: number, length: number) =>
  head
    .toString('latin1', at, at + length)
    .replace(/\0.*$/s, '')
    .trim()

async function writeFile(handle: FileHandle, pieces: Pieces, size: number): Promise<void> {
  for (let missing = size; missing > 0; ) {
    const piece = await pieces.some(missing)
    await handle.writeFile(piece)
    missing -= piece.length
  }
  await pieces.exactly((BLOCK - (size % BLOCK)) % BLOCK)
}

/** Writes the files and folders below `folder`. PostgreSQL makes them durable when it recovers. */
export async function extractTar(source: AsyncIterable<Buffer>, folder: string): Promise<void> {
  const pieces = new Pieces(source)
  for (;;) {
    const head = await pieces.exactly(BLOCK)
    if (head.every((byte) => byte === 0)) return pieces.drain()
    const [name, kind] = [textAt(head, 0, 100), textAt(head, 156, 1)]
    const path = normalize(name)
    if (isAbsolute(path) || path.startsWith('..')) throw new Error(`the base backup holds ${name}`)
    if (kind === FOLDER) await mkdir(join(folder, path), { recursive: true, mode: 0o700 })
    else if (kind === FILE) {
      const handle = await open(join(folder, path), 'wx', 0o600)
      try {
        await writeFile(handle, pieces, Number.parseInt(textAt(head, 124, 12), 8))
      } finally {
        await handle.close()
      }
    } else throw new Error(`the base backup holds ${name}, which is neither a file nor a folder`)
  }
}
