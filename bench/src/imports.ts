// Files of people under the load of a morning: the plan of 100,000, and the creation of 20,000.
import type { Bench } from './bench.ts'
import { sendMorning } from './morning.ts'
import { failures, ms, type Row } from './report.ts'
import { SIZES } from './sizes.ts'

const [PLANNED, CREATED] = [Math.min(100_000, SIZES.users - 2), 20_000]
/** States of a run that ask for a person, or that end it (ImportState). */
const [TO_CONFIRM, DONE] = [1, 4]
/** Seconds of load: longer than both take. */
const LOAD = 60

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
    await new Promise((resolve) => setTimeout(resolve, 100))
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

export async function measureImports(bench: Bench): Promise<Row[]> {
  const root = (await call(bench, '/AuthGroups')).groups[0]?.name ?? ''
  const known = Array.from({ length: PLANNED }, (_, i) => [`user-${i + 3}`, `이름 ${i}`])
  const stamp = Date.now().toString(36)
  const created = Array.from({ length: CREATED }, (_, i) => {
    return [`${stamp}.${i}`, `새 사람 ${i}`, `${stamp}${i}@example.com`, root]
  })
  const load = sendMorning(bench, LOAD)
  const planned = await plan(bench, [['key', 'name'], ...known], { adopts: '1' })
  await post(bench, '/Users/Import', { idx: planned.idx }, 'DELETE')
  const begun = performance.now()
  const { idx } = await plan(bench, [['id', 'name', 'email', 'group'], ...created])
  await post(bench, '/Users/Import/Apply', { idx })
  const applied = await waitFor(bench, idx, DONE, begun)
  const [, others] = await load
  const isComplete = planned.counts.update === PLANNED && applied.counts.applied === CREATED
  const wrong = isComplete ? '' : `; FAILED: ${JSON.stringify([planned.counts, applied.counts])}`
  return [
    {
      work: `plan of ${PLANNED.toLocaleString('en')} people from a file, during a morning`,
      product: `${planned.seconds.toFixed(1)} s${wrong}`,
      target: '< 10 s',
    },
    {
      work: `${CREATED.toLocaleString('en')} new people from a file, during a morning`,
      product: `${applied.seconds.toFixed(1)} s; other calls p99 ${ms(others.p99)}${failures(others.failed)}`,
      target: '< 3 min',
    },
  ]
}
