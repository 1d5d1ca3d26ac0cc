// Sign-ins beside the bare rate of hashing, and what they do to other calls meanwhile.
import { pace, saturate } from './load.ts'
import type { Limit, Product } from './processes.ts'
import { failures, median, ms, perSecond, type Row, share } from './report.ts'
import { ACCOUNT, idOf, PASSWORD, SIGN_IN_ACCOUNTS } from './seed.ts'
import { ROUNDS, SECONDS } from './sizes.ts'

const CONNECTIONS = 16
/** Other calls a second beside the sign-ins. */
const OTHERS = 50
const bodies = Array.from({ length: SIGN_IN_ACCOUNTS - 1 }, (_, i) =>
  JSON.stringify({ id: idOf(ACCOUNT + 1 + i), pw: PASSWORD }),
)
const headers = { 'content-type': 'application/json', 'x-requested-with': 'XMLHttpRequest' }

export async function measureSignIns(product: Product, limit: Limit): Promise<Row[]> {
  const common = { connections: CONNECTIONS, seconds: SECONDS }
  const signIns = { url: `${product.url}/Account/Login`, method: 'POST', headers, bodies, ...common } as const
  const hashes = []
  const signedIn = []
  for (let round = 0; round < ROUNDS; round++) {
    hashes.push(await saturate({ url: `${limit.url}/signIn`, ...common }))
    signedIn.push(await saturate(signIns))
  }
  const others = { url: `${product.url}/Configs`, connections: CONNECTIONS, seconds: 2 * SECONDS }
  const [, times] = await Promise.all([saturate({ ...signIns, seconds: 3 * SECONDS }), pace(others, OTHERS)])
  const [ours, theirs] = [median(signedIn.map(({ rps }) => rps)), median(hashes.map(({ rps }) => rps))]
  const failed = signedIn.reduce((sum, one) => sum + one.failed, times.failed)
  return [
    {
      work: `sign-in (${CONNECTIONS} connections)${failures(failed)}`,
      product: `${perSecond(ours)}, p99 ${ms(median(signedIn.map(({ p99 }) => p99)))}`,
      limit: `${perSecond(theirs)} hashes`,
      reached: share(ours, theirs),
      wanted: '>= 70 %',
    },
    {
      work: `other calls meanwhile (GET /Configs, ${OTHERS}/s)`,
      product: `p50 ${ms(times.p50)}, p99 ${ms(times.p99)}`,
      wanted: 'p99 < 50 ms',
    },
  ]
}
