// Upload and download of one large file through the desktop client's door, beside the same bytes to and from the disk
// without encryption (both sides wait for the disk).
import { createHash } from 'node:crypto'
import { request } from 'node:http'
import { Readable } from 'node:stream'
import { type Running, residentMiB } from './processes.ts'
import { type Row, share } from './reads.ts'

const SIZE = Number(process.env.BENCH_FILE_MIB ?? 1024) * 1024 * 1024
const ROUNDS = 3
const CHUNK = Buffer.alloc(1024 * 1024, 'measured ')
const bytes = () =>
  Readable.from(
    (function* () {
      for (let sent = 0; sent < SIZE; sent += CHUNK.length) yield CHUNK
    })(),
    { objectMode: false },
  )
const perSecond = (seconds: number) => `${(SIZE / 1024 / 1024 / seconds).toFixed(0)} MiB/s`

type Answer = { seconds: number; body: string; bytes: number }
export function send(
  url: string,
  method: string,
  headers: Record<string, string>,
  body?: Readable | string,
): Promise<Answer> {
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

async function makeRequest(server: Running, token: string, sha256: string) {
  const headers = {
    authorization: `Bearer ${token}`,
    'x-requested-with': 'XMLHttpRequest',
    'content-type': 'application/json',
  }
  const body = JSON.stringify({ type: 1, purpose: 'bench', files: [{ name: 'large.bin', size: SIZE, sha256 }] })
  const answer = await send(`${server.url}/Agent/FileEximport`, 'POST', headers, body)
  const { data } = JSON.parse(answer.body) as { data: { idx: number; files: { idx: number }[] } }
  return { fileEximport: data.idx, file: data.files[0]?.idx ?? 0 }
}

/** One upload and one download, of the bare server and of the product in turn. */
async function measureOnce(server: Running, bare: Running, token: string, sha256: string) {
  const octets = { 'content-type': 'application/octet-stream', 'content-length': String(SIZE) }
  const { fileEximport, file } = await makeRequest(server, token, sha256)
  const where = `fileEximport=${fileEximport}&file=${file}`
  const headers = { authorization: `Bearer ${token}`, 'x-requested-with': 'XMLHttpRequest' }
  const bareUp = await send(`${bare.url}/upload`, 'PUT', octets, bytes())
  const [up, upGrowth] = await growthOf(server.pid, () =>
    send(`${server.url}/Agent/FileEximport/File?${where}&offset=0`, 'PUT', { ...headers, ...octets }, bytes()),
  )
  if (!up.body.includes('"errorCode":0')) throw new Error(up.body)
  const bareDown = await send(`${bare.url}/download`, 'GET', {})
  const [down, downGrowth] = await growthOf(server.pid, () =>
    send(`${server.url}/Agent/FileEximport/Download?${where}`, 'GET', headers),
  )
  if (down.bytes !== SIZE) throw new Error(`the download had ${down.bytes} bytes: ${down.body}`)
  return { up, upGrowth, bareUp, down, downGrowth, bareDown }
}

export const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

/** The medians of several rounds: a disk is not equally fast at all times. The memory is the most of all rounds. */
export async function measureTransfers(server: Running, bare: Running, token: string): Promise<Row[]> {
  const hash = createHash('sha256')
  for await (const part of bytes()) hash.update(part as Buffer)
  const sha256 = hash.digest('hex')
  const rounds: Awaited<ReturnType<typeof measureOnce>>[] = []
  for (let round = 0; round < ROUNDS; round++) rounds.push(await measureOnce(server, bare, token, sha256))
  const row = (work: string, product: Answer[], growths: number[], limit: Answer[]): Row => {
    const [took, least] = [median(product.map((one) => one.seconds)), median(limit.map((one) => one.seconds))]
    return {
      work: `${work} ${(SIZE / 1024 ** 3).toFixed(1)} GiB, encrypted, 1 stream (median of ${ROUNDS})`,
      product: `${perSecond(took)}, memory +${Math.max(...growths).toFixed(0)} MiB`,
      bare: perSecond(least),
      reached: share(least, took),
      wanted: '>= 60 %, < 64 MiB',
    }
  }
  const of = <K extends keyof (typeof rounds)[number]>(name: K) => rounds.map((round) => round[name])
  return [
    row('upload', of('up'), of('upGrowth'), of('bareUp')),
    row('download', of('down'), of('downGrowth'), of('bareDown')),
  ]
}
