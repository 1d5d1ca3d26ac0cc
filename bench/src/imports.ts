// A file of 20,000 people next to 100 calls a second, and the plan of 100,000 alone.
import type { Bench } from './bench.ts'
import { pace } from './load.ts'
import { mixedCalls } from './morning.ts'
import { failures, ms, type Row } from './report.ts'
import { SIZES } from './sizes.ts'
import { growthOf } from './transfers.ts'

const [PLANNED, CREATED] = [Math.min(100_000, SIZES.users - 2), 20_000]
/** Calls a second, and seconds of them before the measurement: the server of the question has just started. */
const [RATE, WARM_UP] = [100, 10]
/** Seconds of load at most. It ends with the import. */
const LONGEST = 600
/** States of a run that ask for a person, or that end it (ImportState). */
const [TO_CONFIRM, DONE] = [1, 4]

type Data = { idx: number; state: number; groups: { name: string }[]; counts: Record<string, number> }

/** Makes a call of the administrator; returns its data. */
async function call({ product, sessions }: Bench, path: string, init: RequestInit = {}): Promise<Data> {
  const headers = { ...sessions.admin, 'x-requested-with': 'XMLHttpRequest', ...init.headers }
  const response = await fetch(product.url + path, { ...init, headers })
  const { errorCode, data } = (await response.json()) as { errorCode: number; data: Data }
  if (errorCode !== 0) throw new Error(`${path}: ${errorCode}`)
  return data
}

const post = (bench: Bench, path: string, body: object, method = 'POST') =>
  call(bench, path, { method, body: JSON.stringify(body), headers: { 'content-type': 'application/json' } })

/** Waits until a run is in a state; returns it with the seconds since `from`. */
async function waitFor(bench: Bench, idx: number, state: number, from: number) {
  for (;;) {
    const run = await call(bench, `/Users/Import?idx=${idx}`)
    if (run.state === state) return { ...run, seconds: (performance.now() - from) / 1000 }
    if (run.state >= DONE) throw new Error(`the import ended in state ${run.state}`)
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}

/** Uploads rows and waits for their plan. */
async function plan(bench: Bench, rows: string[][], options: Record<string, string> = {}) {
  const form = new FormData()
  for (const [name, value] of Object.entries(options)) form.append(name, value)
  form.append('file', new Blob([rows.map((cells) => `${cells.join(',')}\r\n`).join('')]), 'people.csv')
  const from = performance.now()
  const { idx } = await call(bench, '/Users/Import', { method: 'POST', body: form })
  return waitFor(bench, idx, TO_CONFIRM, from)
}

/** Plans and applies new people. */
async function create(bench: Bench, root: string) {
  const stamp = Date.now().toString(36)
  const rows = Array.from({ length: CREATED }, (_, i) => {
    return [`${stamp}.${i}`, `새 사람 ${i}`, `${stamp}${i}@example.com`, root]
  })
  const planned = await plan(bench, [['id', 'name', 'email', 'group'], ...rows])
  const from = performance.now()
  await post(bench, '/Users/Import/Apply', { idx: planned.idx })
  const applied = await waitFor(bench, planned.idx, DONE, from)
  if (applied.counts.applied !== CREATED) throw new Error(`of ${CREATED} people: ${JSON.stringify(applied.counts)}`)
  return { planned, applied }
}

/** Plans a change of people who exist, and cancels it. */
async function compare(bench: Bench) {
  const known = Array.from({ length: PLANNED }, (_, i) => [`user-${i + 3}`, `이름 ${i}`])
  const planned = await plan(bench, [['key', 'name'], ...known], { adopts: '1' })
  await post(bench, '/Users/Import', { idx: planned.idx }, 'DELETE')
  if (planned.counts.update !== PLANNED) throw new Error(`of ${PLANNED} people: ${JSON.stringify(planned.counts)}`)
  return planned
}

export async function measureImports(bench: Bench): Promise<Row[]> {
  const root = (await call(bench, '/AuthGroups')).groups[0]?.name ?? ''
  const streams = [{ rate: RATE, calls: mixedCalls(bench) }]
  await pace(streams, WARM_UP)
  const ending = new AbortController()
  const load = pace(streams, LONGEST, ending.signal)
  const [{ planned, applied }, growth] = await growthOf(bench.product.pid, () => create(bench, root)).finally(() =>
    ending.abort(),
  )
  const [others] = await load
  const alone = await compare(bench)
  const [created, known] = [CREATED, PLANNED].map((count) => count.toLocaleString('en'))
  return [
    {
      work: `import of ${created} new people next to ${RATE} calls/s: plan`,
      product: `${planned.seconds.toFixed(1)} s`,
      target: '< 10 s',
    },
    {
      work: `import of ${created} new people next to ${RATE} calls/s: applied`,
      product: `${applied.seconds.toFixed(1)} s, memory +${growth.toFixed(0)} MiB`,
      target: '< 3 min, < 64 MiB',
    },
    {
      work: `the ${RATE} calls/s during the import`,
      product: `p50 ${ms(others?.p50 ?? 0)}, p99 ${ms(others?.p99 ?? 0)}${failures(others?.failed ?? 0)}`,
      target: 'p99 < 200 ms',
    },
    { work: `plan of ${known} people, alone`, product: `${alone.seconds.toFixed(1)} s`, target: '< 10 s' },
  ]
}
