// Everything that is measured with a running server, by the names under which it can be asked for alone.
import { measureBimServers } from './bimServers.ts'
import { measureConsoles } from './consoles.ts'
import { measureCsv } from './csv.ts'
import { measureFirstPaint } from './firstPaint.ts'
import { measureRead } from './measureRead.ts'
import { measureNotices } from './notices.ts'
import { measurePolicyRush } from './policyRush.ts'
import type { Row } from './report.ts'
import type { Bench } from './run.ts'
import { measureFindIdFlood, measureSignIns, measureTotp } from './signIns.ts'
import { measureTransfers } from './transfers.ts'

export type Scenario = {
  name: string
  /** The figure depends on the number of rows of histories and requests. */
  isOfRows?: true
  /** Starts on a server that has done nothing yet: one that has worked holds memory that it gives to what comes next. */
  isFresh?: true
  run(bench: Bench): Promise<Row[]>
}

const OTHERS: readonly Scenario[] = [
  {
    name: 'policyRush',
    run: ({ product, connection, dataDir, sessions }) =>
      measurePolicyRush(product, connection, dataDir, sessions.client),
  },
  {
    name: 'csv',
    isOfRows: true,
    run: ({ product, limit, sessions, now }) => measureCsv(product, limit, sessions.admin, now),
  },
  { name: 'signIn', run: ({ product, limit }) => measureSignIns(product, limit) },
  {
    name: 'totp',
    run: ({ product, limit, connection, dataDir }) => measureTotp(product, limit, connection, dataDir),
  },
  { name: 'findId', run: ({ product }) => measureFindIdFlood(product) },
  {
    name: 'bimServers',
    run: ({ product, sessions, dataDir }) => measureBimServers(product, sessions.admin, dataDir),
  },
  { name: 'consoles', isFresh: true, run: ({ product, sessions }) => measureConsoles(product, sessions.admin) },
  { name: 'firstPaint', run: ({ product }) => measureFirstPaint(product.url) },
  { name: 'transfer', run: ({ product, limit, sessions }) => measureTransfers(product, limit, sessions.client) },
  // Last, since mails are sent for a while after it.
  {
    name: 'notices',
    isOfRows: true,
    run: ({ product, connection, dataDir }) => measureNotices(product, connection, dataDir),
  },
]

/** The calls that read, then everything else: what changes rows comes last. */
export const scenariosOf = ({ reads }: Bench): Scenario[] => [
  ...reads.map(
    (read): Scenario => ({
      name: read.name,
      ...(read.isOfRows && { isOfRows: true }),
      run: async (bench) => {
        const current = bench.reads.find(({ work }) => work === read.work) ?? read
        return measureRead(current, bench.product, bench.limit, bench.dataDir)
      },
    }),
  ),
  ...OTHERS,
]
