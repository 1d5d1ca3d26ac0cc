// A morning of 40,000 people, and an overload: sign-ins and other calls at given rates.
import type { Bench } from './bench.ts'
import { withConsoles } from './events.ts'
import { lists } from './lists.ts'
import { type Call, type Paced, pace } from './load.ts'
import { POSTED, signInBody, signingIn } from './people.ts'
import { failures, ms, type Row, share } from './report.ts'
import { SECONDS } from './sizes.ts'

/** Of ten calls: heartbeats and policies of PCs, sessions, and lists of the console. */
export function mixedCalls({ product: { url }, sessions: { admin, client }, now }: Bench): Call[] {
  const { userSearch, historyDay, waiting } = lists(now)
  const get = (path: string, headers: Record<string, string>): Call => ({ url: url + path, headers })
  const heartbeat: Call = {
    url: `${url}/Agent/Heartbeat`,
    method: 'POST',
    headers: { ...POSTED, ...client },
    body: '{}',
  }
  const perList = [userSearch, historyDay, waiting].map((path) => [
    ...Array.from({ length: 5 }, () => heartbeat),
    ...Array.from({ length: 3 }, () => get('/Agent/Policy', client)),
    get('/Account/Session', admin),
    get(path, admin),
  ])
  return perList.flat()
}

const MORNING = { signIns: 44, calls: 260 }

const signIns = (url: string): Call[] =>
  signingIn.map((idx) => ({ url: `${url}/Account/Login`, method: 'POST', headers: POSTED, body: signInBody(idx) }))

/** Of sign-ins and of other calls, a second; how long, in seconds. */
type Rates = { signIns: number; calls: number; seconds: number }
/** Seconds of a morning before each measurement: the server of the question has just started. */
const WARM_UP = 10

/** Sends both at their rates; returns the figures of sign-ins and of other calls. */
async function sendMix(bench: Bench, rates: Rates): Promise<[Paced, Paced]> {
  const streamsOf = ({ signIns: rate, calls }: Pick<Rates, 'signIns' | 'calls'>) => [
    { rate, calls: signIns(bench.product.url) },
    { rate: calls, calls: mixedCalls(bench) },
  ]
  await pace(streamsOf(MORNING), WARM_UP)
  const [ours, others] = await pace(streamsOf(rates), rates.seconds)
  if (ours === undefined || others === undefined) throw new Error('nothing was measured')
  return [ours, others]
}

const refusalsOf = ({ count, refused, refusedP99 }: Paced) =>
  `${share(refused, count)} refused${refused > 0 ? ` (p99 ${ms(refusedP99)})` : ''}`
const figuresOf = (paced: Paced) => {
  const { p50, p99, failed, codes } = paced
  return `p50 ${ms(p50)}, p99 ${ms(p99)}; ${refusalsOf(paced)}${failures(failed)}${failed > 0 ? ` (codes ${codes.join(', ')})` : ''}`
}

export const measureMorning = (bench: Bench): Promise<Row[]> =>
  withConsoles(bench.product.url, async () => {
    const rates = { ...MORNING, seconds: 5 * SECONDS }
    const [own, others] = await sendMix(bench, rates)
    return [
      { work: `morning: ${rates.signIns} sign-ins/s`, product: figuresOf(own), target: 'none refused' },
      {
        work: `morning: ${rates.calls} other calls/s, 500 consoles`,
        product: figuresOf(others),
        target: 'p99 < 200 ms, none refused',
      },
    ]
  })

export async function measureOverload(bench: Bench): Promise<Row[]> {
  // Longer than the queue of sign-ins takes to fill.
  const rates = { signIns: 70, calls: 400, seconds: 15 * SECONDS }
  const [own, others] = await sendMix(bench, rates)
  return [
    {
      work: `overload: ${rates.signIns} sign-ins/s`,
      product: figuresOf(own),
      target: 'refused with a time to wait, none failed',
    },
    {
      work: `overload: ${rates.calls} other calls/s`,
      product: figuresOf(others),
      target: 'p99 < 500 ms, none refused',
    },
  ]
}
