// Upload and download of one large file through the desktop client's API, beside the same bytes to and from the disk without
// encryption. Both sides wait for the disk.
import { createHash } from 'node:crypto'
import { request } from 'node:http'
import { Readable } from 'node:stream'
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
const perSecond = (seconds: number) => `${(SIZE / 1024 / 1024 / seconds).toFixed(0)} MiB/s`

type Response = { seconds: number; body: string; bytes: number }
export function send(
  url: string,
  method: string,
  headers: Record<string, string>,
  body?: Readable | string,
): Promise<Response> {
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

/** The highest resident memory while the work runs, beyond what it was before. */
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

async function makeRequest(server: Product, token: string, sha256: string) {
  const headers = {
    authorization: `Bearer ${token}`,
    'x-requested-with': 'XMLHttpRequest',
    'content-type': 'application/json',
  }
  const body = JSON.stringify({ type: 1, purpose: 'bench', files: [{ name: 'large.bin', size: SIZE, sha256 }] })
  const response = await send(`${server.url}/Agent/FileEximport`, 'POST', headers, body)
  const { data } = JSON.parse(response.body) as { data: { idx: number; files: { idx: number }[] } }
  return { fileEximport: data.idx, file: data.files[0]?.idx ?? 0 }
}

/** One upload and one download of the limit and of the product in turn. */
async function measureOnce(server: Product, limit: Limit, token: string, sha256: string) {
  const octets = { 'content-type': 'application/octet-stream', 'content-length': String(SIZE) }
  const { fileEximport, file } = await makeRequest(server, token, sha256)
  const where = `fileEximport=${fileEximport}&file=${file}`
  const headers = { authorization: `Bearer ${token}`, 'x-requested-with': 'XMLHttpRequest' }
  const limitUp = await send(`${limit.url}/upload`, 'PUT', octets, bytes())
  const [up, upGrowth] = await growthOf(server.pid, () =>
    send(`${server.url}/Agent/FileEximport/File?${where}&offset=0`, 'PUT', { ...headers, ...octets }, bytes()),
  )
  if (!up.body.includes('"errorCode":0')) throw new Error(up.body)
  const limitDown = await send(`${limit.url}/download`, 'GET', {})
  const [down, downGrowth] = await growthOf(server.pid, () =>
    send(`${server.url}/Agent/FileEximport/Download?${where}`, 'GET', headers),
  )
  if (down.bytes !== SIZE) throw new Error(`the download had ${down.bytes} bytes: ${down.body}`)
  return { up, upGrowth, limitUp, down, downGrowth, limitDown }
}

/** Medians of several rounds, since disks vary; memory is the highest of all rounds. */
export async function measureTransfers(server: Product, limit: Limit, token: string): Promise<Row[]> {
  const hash = createHash('sha256')
  for await (const part of bytes()) hash.update(part as Buffer)
  const sha256 = hash.digest('hex')
  const rounds: Awaited<ReturnType<typeof measureOnce>>[] = []
  for (let round = 0; round < ROUNDS; round++) rounds.push(await measureOnce(server, limit, token, sha256))
  const row = (work: string, product: Response[], growths: number[], least: Response[]): Row => {
    const [taken, leastTaken] = [median(product.map((one) => one.seconds)), median(least.map((one) => one.seconds))]
    return {
      work: `${work} ${(SIZE / 1024 ** 3).toFixed(1)} GiB, encrypted, 1 stream (median of ${ROUNDS})`,
      product: `${perSecond(taken)}, memory +${Math.max(...growths).toFixed(0)} MiB`,
      limit: perSecond(leastTaken),
      reached: share(leastTaken, taken),
      wanted: '>= 60 %, < 64 MiB',
    }
  }
  const of = <K extends keyof (typeof rounds)[number]>(name: K) => rounds.map((round) => round[name])
  return [
    row('upload', of('up'), of('upGrowth'), of('limitUp')),
    row('download', of('down'), of('downGrowth'), of('limitDown')),
  ]
}
