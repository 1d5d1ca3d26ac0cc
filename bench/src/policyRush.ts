// The policy with 200 exceptions, asked for by 1,000 desktop clients at once: after a change of a policy high up, the next
// heartbeats of all of them fetch it.
import { Agent, request } from 'node:http'
import { performance } from 'node:perf_hooks'
import { setTimeout } from 'node:timers/promises'
import { type Connection, openDatabase } from '@acc/server/src/db/open.ts'
import { databaseTime, type Product, processorTime } from './processes.ts'
import { failures, median, ms, type Row } from './report.ts'
import { ROUNDS } from './sizes.ts'

const CLIENTS = 1_000
const EXCEPTIONS = 200

/** Gives the policy of the root, which applies to everybody, its exceptions. */
async function insertExceptions(connection: Connection): Promise<void> {
  const db = openDatabase(connection, { warn: () => undefined }, 1)
  const { idx: policyIdx } = await db.read
    .selectFrom('policies')
    .select('idx')
    .where('groupIdx', '=', 1)
    .executeTakeFirstOrThrow()
  await db.write.deleteFrom('policyNetworkExceptions').where('policyIdx', '=', policyIdx).execute()
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
  await db.write.insertInto('policyNetworkExceptions').values(rows).execute()
  await db.close()
}

type Answered = { time: number; isRight: boolean }

/** One call over a connection of its own. */
function ask(url: string, token: string, agent: Agent): Promise<Answered> {
  const start = performance.now()
  return new Promise((resolve) => {
    const answered = (isRight: boolean) => resolve({ time: performance.now() - start, isRight })
    const call = request(
      `${url}/Agent/Policy`,
      { agent, headers: { authorization: `Bearer ${token}` } },
      (response) => {
        let head = ''
        response.setEncoding('utf8')
        response.on('data', (part: string) => {
          if (head.length < 100) head += part
        })
        response.on('end', () => answered(head.includes('"errorCode":0')))
      },
    )
    call.on('error', () => answered(false))
    call.end()
  })
}

async function rush(url: string, token: string): Promise<Answered[]> {
  const agent = new Agent({ keepAlive: false, maxSockets: CLIENTS })
  return Promise.all(Array.from({ length: CLIENTS }, () => ask(url, token, agent)))
}

export async function measurePolicyRush(
  product: Product,
  connection: Connection,
  dataDir: string,
  token: string,
): Promise<Row[]> {
  await insertExceptions(connection)
  await rush(product.url, token)
  const [server, database] = [processorTime(product.pid), databaseTime(dataDir)]
  const rounds: Answered[][] = []
  for (let round = 0; round < ROUNDS; round++) {
    // Calls of one person are limited to 200 a second, saved up for ten seconds; other measurements use the same person.
    await setTimeout(10_000)
    rounds.push(await rush(product.url, token))
  }
  const failed = rounds.flat().filter(({ isRight }) => !isRight).length
  const longest = median(rounds.map((answers) => Math.max(...answers.map(({ time }) => time))))
  const middle = median(rounds.map((answers) => median(answers.map(({ time }) => time))))
  const per = (spent: number) => ms(spent / (ROUNDS * CLIENTS))
  return [
    {
      work: `policy with ${EXCEPTIONS} exceptions to ${CLIENTS} clients at once, each on a new connection`,
      product: `all after ${ms(longest)}, half after ${ms(middle)}${failures(failed)}`,
      wanted: '< 5 s',
      cost: `${per(processorTime(product.pid) - server)} + ${per(databaseTime(dataDir) - database)}`,
    },
  ]
}
