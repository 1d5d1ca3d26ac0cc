// The policy with 200 exceptions, asked for by 1,000 desktop clients at once: after a change of a policy high up, the next
// heartbeats of all of them fetch it.
import { Agent, request } from 'node:http'
import { performance } from 'node:perf_hooks'
import { type Connection, openDatabase } from '@acc/server/src/db/open.ts'
import { databaseTime, type Product, processorTime } from './processes.ts'
import { failures, median, ms, type Row } from './report.ts'
import { ROUNDS } from './sizes.ts'

const CLIENTS = 1_000
const EXCEPTIONS = 200

/** Runs work while the policy of the root, which applies to everybody, has its exceptions. */
async function withExceptions<T>(connection: Connection, work: () => Promise<T>): Promise<T> {
  const db = openDatabase(connection, { warn: () => undefined }, 1)
  const { idx: policyIdx } = await db.read
    .selectFrom('policies')
    .select('idx')
    .where('groupIdx', '=', 1)
    .executeTakeFirstOrThrow()
  const remove = () => db.write.deleteFrom('policyNetworkExceptions').where('policyIdx', '=', policyIdx).execute()
  const rows = Array.from({ length: EXCEPTIONS }, (_, at) => ({
    policyIdx,
    isLocal: at % 2,
    description: `exception ${at}`,
    type: 1,
    ip1: `10.0.${at}.1`,
    ip2: `10.0.${at}.200`,
    port: at,
    access: 1,
  }))
  try {
    await remove()
    await db.write.insertInto('policyNetworkExceptions').values(rows).execute()
    return await work()
  } finally {
    await remove()
    await db.close()
  }
}

type Reply = { time: number; isRight: boolean }

/** One call over a connection of its own. */
function ask(url: string, token: string, agent: Agent): Promise<Reply> {
  const start = performance.now()
  return new Promise((resolve) => {
    const done = (isRight: boolean) => resolve({ time: performance.now() - start, isRight })
    const call = request(
      `${url}/Agent/Policy`,
      { agent, headers: { authorization: `Bearer ${token}` } },
      (response) => {
        let head = ''
        response.setEncoding('utf8')
        response.on('data', (part: string) => {
          if (head.length < 100) head += part
        })
        response.on('end', () => done(head.includes('"errorCode":0')))
      },
    )
    call.on('error', () => done(false))
    call.end()
  })
}

async function rush(url: string, token: string): Promise<Reply[]> {
  const agent = new Agent({ keepAlive: false, maxSockets: CLIENTS })
  return Promise.all(Array.from({ length: CLIENTS }, () => ask(url, token, agent)))
}

async function measureRush({ url, pid }: Product, dataDir: string, token: string): Promise<Row[]> {
  await rush(url, token)
  const [server, database] = [processorTime(pid), databaseTime(dataDir)]
  const rounds: Reply[][] = []
  for (let round = 0; round < ROUNDS; round++) rounds.push(await rush(url, token))
  const failed = rounds.flat().filter(({ isRight }) => !isRight).length
  const longest = median(rounds.map((replies) => Math.max(...replies.map(({ time }) => time))))
  const middle = median(rounds.map((replies) => median(replies.map(({ time }) => time))))
  const per = (spent: number) => ms(spent / (ROUNDS * CLIENTS))
  return [
    {
      work: `policy with ${EXCEPTIONS} exceptions to ${CLIENTS} clients at once, each on a new connection`,
      product: `all after ${ms(longest)}, half after ${ms(middle)}${failures(failed)}`,
      wanted: '< 5 s',
      cost: `${per(processorTime(pid) - server)} + ${per(databaseTime(dataDir) - database)}`,
    },
  ]
}

export const measurePolicyRush = (product: Product, connection: Connection, dataDir: string, token: string) =>
  withExceptions(connection, () => measureRush(product, dataDir, token))
