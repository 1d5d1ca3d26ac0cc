// A call that reads, under load beside the limit's statement for the same question.
import { type Load, pace, saturate } from './load.ts'
import { databaseTime, type Limit, type Product, processorTime } from './processes.ts'
import type { Read } from './read.ts'
import { failures, median, ms, perSecond, type Row, share } from './report.ts'
import { ROUNDS, SECONDS } from './sizes.ts'

type Measurement = { rps: number; failed: number; server: number; database: number }

/** Calls a second of one side, and the processor time that each of them took. */
async function measure(pid: number, dataDir: string, load: Load): Promise<Measurement> {
  const [serverBefore, databaseBefore] = [processorTime(pid), databaseTime(dataDir)]
  const { rps, count, failed } = await saturate(load)
  const of = (spent: number) => spent / Math.max(1, count)
  return {
    rps,
    failed,
    server: of(processorTime(pid) - serverBefore),
    database: of(databaseTime(dataDir) - databaseBefore),
  }
}

const medianOf = (rounds: Measurement[]): Measurement => ({
  rps: median(rounds.map(({ rps }) => rps)),
  failed: rounds.reduce((sum, { failed }) => sum + failed, 0),
  server: median(rounds.map(({ server }) => server)),
  database: median(rounds.map(({ database }) => database)),
})

const costOf = ({ server, database }: Measurement) => `${server.toFixed(2)} + ${database.toFixed(2)} ms`

type Side = { pid: number; load: Load }
const warmUp = ({ load }: Side) => saturate({ ...load, seconds: Math.max(1, Math.round(load.seconds / 4)) })

/** Each side in turn, several times, after it was warmed up. */
async function compare(sides: readonly Side[], dataDir: string): Promise<Measurement[]> {
  const rounds = sides.map((): Measurement[] => [])
  for (const side of sides) await warmUp(side)
  for (let round = 0; round < ROUNDS; round++) {
    for (const [at, { pid, load }] of sides.entries()) rounds[at]?.push(await measure(pid, dataDir, load))
  }
  return rounds.map(medianOf)
}

/** The row of a call that has no limit: only its times are wanted. */
async function measureAlone(read: Read, side: Side, dataDir: string): Promise<Row> {
  const [ours] = await compare([side], dataDir)
  if (ours === undefined) throw new Error('nothing was measured')
  const times = await pace(side.load, read.rate)
  return {
    work: `${read.work} (${read.connections} connections; times at ${read.rate}/s)${failures(ours.failed + times.failed)}`,
    product: `${perSecond(ours.rps)}; p50 ${ms(times.p50)}, p99 ${ms(times.p99)}`,
    wanted: read.wanted,
    cost: costOf(ours),
  }
}

/** Rates where the connections saturate product and limit in turn, and times of calls that come at the read's own rate. */
export async function measureRead(read: Read, product: Product, limit: Limit, dataDir: string): Promise<Row[]> {
  const { connections } = read
  const common = { connections, seconds: SECONDS }
  const ourSide = { pid: product.pid, load: { url: product.url + read.path, headers: read.headers, ...common } }
  if (read.limit === undefined) return [await measureAlone(read, ourSide, dataDir)]
  const leastSide = { pid: limit.pid, load: { url: `${limit.url}/${read.limit}`, ...common } }
  const bareSide = { pid: limit.pid, load: { url: `${limit.fastifyUrl}/empty`, ...common } }
  const sides = read.limit === 'empty' ? [leastSide, ourSide, bareSide] : [leastSide, ourSide]
  const [theirs, ours, bare] = await compare(sides, dataDir)
  if (theirs === undefined || ours === undefined) throw new Error('nothing was measured')
  const times = await pace(ourSide.load, read.rate)
  const least = await pace(leastSide.load, read.rate)
  const failed = ours.failed + theirs.failed + times.failed + least.failed
  const row: Row = {
    work: `${read.work} (${connections} connections; times at ${read.rate}/s)${failures(failed)}`,
    product: `${perSecond(ours.rps)}; p50 ${ms(times.p50)}, p99 ${ms(times.p99)}`,
    limit: `${perSecond(theirs.rps)}; p50 ${ms(least.p50)}, p99 ${ms(least.p99)}`,
    reached: share(ours.rps, theirs.rps),
    wanted: read.wanted,
    cost: `${costOf(ours)} / ${costOf(theirs)}`,
  }
  if (bare === undefined) return [row]
  return [
    row,
    {
      work: 'the same, beside Fastify alone',
      product: perSecond(ours.rps),
      limit: perSecond(bare.rps),
      reached: share(ours.rps, bare.rps),
      wanted: '>= 50 %',
      cost: `${costOf(ours)} / ${costOf(bare)}`,
    },
  ]
}
