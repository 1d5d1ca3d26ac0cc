// Upload and download of one large file by the desktop client's API, compared with the same bytes without encryption. Both sides
// wait for the disk.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { request } from 'node:http'
import { Readable } from 'node:stream'
import type { Bench } from './bench.ts'
import { POSTED } from './people.ts'
import { type Limit, type Product, residentMiB } from './processes.ts'
import { median, type Row, share } from './report.ts'
import { ROUNDS, FILE_BYTES as SIZE } from './sizes.ts'

const CHUNK = Buffer.alloc(1024 * 1024, 'measured ')
const bytes = () =>
  Readable.from(
    (function* () {
      for (let sent = 0; sent < SIZE; sent += CHUNK.length) yield CHUNK
    })(),
    { objectMode: false },
  )
const OCTETS = { 'content-type': 'application/octet-stream', 'content-length': String(SIZE) }
const perSecond = (seconds: number) => `${(SIZE / 1024 / 1024 / seconds).toFixed(0)} MiB/s`

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

async function createRequest(server: Product, client: Headers, sha256: string) {
  const body = JSON.stringify({ type: 1, purpose: 'bench', files: [{ name: 'large.bin', size: SIZE, sha256 }] })
  const response = await send(`${server.url}/Agent/FileEximport`, 'POST', { ...POSTED, ...client }, body)
  const { data } = JSON.parse(response.body) as { data: { idx: number; files: { idx: number }[] } }
  return { fileEximport: data.idx, file: data.files[0]?.idx ?? 0 }
}

type Side = { up: Response; down: Response; upGrowth: number; downGrowth: number }

/** Writes earlier data, which would otherwise be written during the measurement. */
const settle = () => execFileSync('sync')

async function moveByProduct(server: Product, headers: Headers, sha256: string): Promise<Side> {
  const { fileEximport, file } = await createRequest(server, headers, sha256)
  const where = `fileEximport=${fileEximport}&file=${file}`
  settle()
  const [up, upGrowth] = await growthOf(server.pid, () =>
    send(`${server.url}/Agent/FileEximport/File?${where}&offset=0`, 'PUT', { ...headers, ...OCTETS }, bytes()),
  )
  if (!up.body.includes('"errorCode":0')) throw new Error(up.body)
  const [down, downGrowth] = await growthOf(server.pid, () =>
    send(`${server.url}/Agent/FileEximport/Download?${where}`, 'GET', headers),
  )
  if (down.bytes !== SIZE) throw new Error(`the download had ${down.bytes} bytes: ${down.body}`)
  return { up, down, upGrowth, downGrowth }
}

async function moveByLimit(limit: Limit): Promise<Side> {
  // A new file, as the product writes; emptying an old one takes time.
  await rm(limit.file, { force: true })
  settle()
  const [up, upGrowth] = await growthOf(limit.pid, () => send(`${limit.url}/upload`, 'PUT', OCTETS, bytes()))
  const [down, downGrowth] = await growthOf(limit.pid, () => send(`${limit.url}/download`, 'GET', {}))
  return { up, down, upGrowth, downGrowth }
}

/** Moves the file on both sides. The first one alternates, since it writes to an idle disk. */
async function measureOnce(round: number, server: Product, limit: Limit, client: Headers, sha256: string) {
  if (round % 2 === 0) {
    const least = await moveByLimit(limit)
    return { least, ours: await moveByProduct(server, client, sha256) }
  }
  const ours = await moveByProduct(server, client, sha256)
  return { least: await moveByLimit(limit), ours }
}

/** Reports medians of several rounds, and the highest memory. */
export async function measureTransfers({ product, limit, sessions }: Bench): Promise<Row[]> {
  const hash = createHash('sha256')
  for await (const part of bytes()) hash.update(part as Buffer)
  const sha256 = hash.digest('hex')
  const rounds: Awaited<ReturnType<typeof measureOnce>>[] = []
  for (let round = 0; round < ROUNDS; round++)
    rounds.push(await measureOnce(round, product, limit, sessions.client, sha256))
  const row = (work: string, way: 'up' | 'down'): Row => {
    const taken = median(rounds.map(({ ours }) => ours[way].seconds))
    const leastTaken = median(rounds.map(({ least }) => least[way].seconds))
    const growth = (side: 'ours' | 'least') =>
      Math.max(...rounds.map((round) => round[side][`${way}Growth`])).toFixed(0)
    return {
      work: `${work} ${(SIZE / 1024 ** 3).toFixed(1)} GiB, encrypted, 1 stream (median of ${ROUNDS})`,
      product: `${perSecond(taken)}, memory +${growth('ours')} MiB`,
      limit: `${perSecond(leastTaken)}, memory +${growth('least')} MiB`,
      reached: share(leastTaken, taken),
      target: '>= 50 %, < 64 MiB',
    }
  }
  return [row('upload', 'up'), row('download', 'down')]
}
