// Sign-ins beside the bare rate of hashing, and what they do to the other calls meanwhile.
import { load, type Running } from './processes.ts'
import { perSecond, type Row, share } from './reads.ts'
import { MANAGER, PASSWORD, SIGN_IN_ACCOUNTS } from './seed.ts'
import { SECONDS } from './sizes.ts'

const CONNECTIONS = 16
/** Other calls a second beside the sign-ins. */
const OTHERS = 50
const bodies = Array.from({ length: SIGN_IN_ACCOUNTS }, (_, i) =>
  JSON.stringify({ id: `user${String(i + MANAGER + 1).padStart(6, '0')}`, pw: PASSWORD }),
)
const headers = { 'content-type': 'application/json', 'x-requested-with': 'XMLHttpRequest' }

export async function measureSignIns(server: Running, bare: Running): Promise<Row[]> {
  const common = { connections: CONNECTIONS, seconds: SECONDS }
  const signIns = { url: `${server.url}/Account/Login`, method: 'POST', headers, bodies, ...common }
  const limit = await load({ url: `${bare.url}/signIn`, ...common })
  const product = await load(signIns)
  const [, others] = await Promise.all([
    load(signIns),
    load({ url: `${server.url}/Configs`, connections: CONNECTIONS, rate: OTHERS, seconds: SECONDS }),
  ])
  return [
    {
      work: `sign-in (${CONNECTIONS} connections)${product.failed > 0 ? ` — ${product.failed} FAILED` : ''}`,
      product: `${perSecond(product.rps)}, p99 ${product.p99.toFixed(0)} ms`,
      bare: `${perSecond(limit.rps)} hashes`,
      reached: share(product.rps, limit.rps),
      wanted: '>= 85 %',
    },
    {
      work: `other calls meanwhile (GET /Configs, ${OTHERS}/s)`,
      product: `p50 ${others.p50.toFixed(1)} ms, p99 ${others.p99.toFixed(1)} ms`,
      bare: '',
      reached: '',
      wanted: 'p99 < 50 ms',
    },
  ]
}
