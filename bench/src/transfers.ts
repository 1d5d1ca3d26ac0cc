// Upload and download of one large file by the desktop client's API, compared with the disk and with a plain server.
import { execFile, execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import type { Bench } from './bench.ts'
import { POSTED } from './people.ts'
import { residentMiB } from './processes.ts'
import { median, type Row, share } from './report.ts'
import { ROUNDS, FILE_BYTES as SIZE } from './sizes.ts'

const CHUNK = Buffer.alloc(1024 * 1024, 'measured ')
function* chunks() {
  for (let sent = 0; sent < SIZE; sent += CHUNK.length) yield CHUNK
}
const bytes = () => Readable.from(chunks(), { objectMode: false })

type Headers = Record<string, string>
type Response = { seconds: number; body: string; bytes: number }
export function send(url: string, method: string, headers: Headers, body?: Readable | string): Promise<Response> {
  const from = performance.now()
  return new Promise((resolve, reject) => {
    const call = request(url, { method, headers }, (response) => {
      let received = 0
      let text = ''
      response.on('data', (part: Buffer) => {
        received += part.length
        if (received < 10_000) text += part.toString()
      })
      response.on('end', () => resolve({ seconds: (performance.now() - from) / 1000, body: text, bytes: received }))
    })
    call.on('error', reject)
    if (body instanceof Readable) body.pipe(call)
    else call.end(body)
  })
}

/** Returns the growth of a process's resident memory while the work runs. */
export async function growthOf<T>(pid: number, work: () => Promise<T>): Promise<[T, number]> {
  const before = residentMiB(pid)
  let highest = before
  const timer = setInterval(() => {
    highest = Math.max(highest, residentMiB(pid))
  }, 50)
  try {
    return [await work(), highest - before]
  } finally {
    clearInterval(timer)
  }
}

/** Returns the seconds of work. Flushes earlier data first. */
async function timed(work: () => Promise<unknown>): Promise<number> {
  execFileSync('sync')
  const from = performance.now()
  await work()
  return (performance.now() - from) / 1000
}

type Transfer = { up: number; down: number }

/** Writes the bytes to a new file durably, and reads them without the system's cache. */
async function moveByDisk({ dataDir }: Bench): Promise<Transfer> {
  const file = join(dataDir, 'transfer.bin')
  const up = await timed(() => pipeline(bytes(), createWriteStream(file, { flush: true })))
  const down = await timed(() => promisify(execFile)('dd', [`if=${file}`, 'of=/dev/null', 'bs=1M', 'iflag=direct']))
  await rm(file)
  return { up, down }
}

/** Stores and sends the bytes with the limit: node:http, hash and cipher. */
async function moveByLimit({ limit, dataDir }: Bench, sha256: string): Promise<Transfer> {
  const up = await timed(async () => {
    const { body } = await send(`${limit.url}/upload`, 'PUT', { 'content-length': String(SIZE) }, bytes())
    if (!body.includes(sha256)) throw new Error(body)
  })
  const down = await timed(async () => {
    const response = await send(`${limit.url}/download`, 'GET', {})
    if (response.bytes !== SIZE) throw new Error(`the download had ${response.bytes} bytes`)
  })
  await rm(join(dataDir, 'transfer.bin'))
  return { up, down }
}

async function moveByProduct({ product: { url }, sessions: { client } }: Bench, sha256: string): Promise<Transfer> {
  const order = JSON.stringify({ type: 1, purpose: 'bench', files: [{ name: 'large.bin', size: SIZE, sha256 }] })
  const created = await send(`${url}/Agent/FileEximport`, 'POST', { ...POSTED, ...client }, order)
  const { data } = JSON.parse(created.body) as { data: { idx: number; files: { idx: number }[] } }
  const where = `fileEximport=${data.idx}&file=${data.files[0]?.idx}`
  const octets = { ...client, 'content-type': 'application/octet-stream', 'content-length': String(SIZE) }
  const up = await timed(async () => {
    const { body } = await send(`${url}/Agent/FileEximport/File?${where}&offset=0`, 'PUT', octets, bytes())
    if (!body.includes('"errorCode":0')) throw new Error(body)
  })
  const down = await timed(async () => {
    const response = await send(`${url}/Agent/FileEximport/Download?${where}`, 'GET', client)
    if (response.bytes !== SIZE) throw new Error(`the download had ${response.bytes} bytes: ${response.body}`)
  })
  return { up, down }
}

export async function measureTransfers(bench: Bench): Promise<Row[]> {
  const hash = createHash('sha256')
  for (const part of chunks()) hash.update(part)
  const sha256 = hash.digest('hex')
  const rounds: { disk: Transfer; limit: Transfer; ours: Transfer; growth: number }[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const disk = await moveByDisk(bench)
    const limit = await moveByLimit(bench, sha256)
    const [ours, growth] = await growthOf(bench.product.pid, () => moveByProduct(bench, sha256))
    rounds.push({ disk, limit, ours, growth })
  }
  const growth = Math.max(...rounds.map((round) => round.growth)).toFixed(0)
  const perSecond = (seconds: number) => `${(SIZE / 1024 ** 2 / seconds).toFixed(0)} MiB/s`
  return (['up', 'down'] as const).map((way): Row => {
    const secondsOf = (side: 'ours' | 'disk' | 'limit') => median(rounds.map((round) => round[side][way]))
    const [ours, disk, limit] = [secondsOf('ours'), secondsOf('disk'), secondsOf('limit')]
    return {
      work: `${way}load of ${(SIZE / 1024 ** 3).toFixed(1)} GiB, encrypted, 1 stream`,
      product: `${perSecond(ours)}, memory +${growth} MiB`,
      limit: `${perSecond(limit)} (node:http with AES-256-GCM); ${perSecond(disk)} (disk)`,
      reached: `${share(limit, ours)}; ${share(disk, ours)} of the disk`,
      target: '>= 50 % of the disk, < 64 MiB',
    }
  })
}
