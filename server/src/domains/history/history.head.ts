// The head of the seals outside of the tables: each node keeps the last seal in its data directory, signed with the key
// of the seals. Seals that do not continue from there are not of this server (docs/decisions/11-history.md).
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Expression, type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import { days, later } from '../../clock.ts'
import type { Services } from '../../core/services.ts'
import type { SecretKey } from '../../crypto/secretKey.ts'
import type { Reader } from '../../db/open.ts'
import { compiledOnce } from '../../db/statement.ts'
import { codeOf, replaceFile } from '../../disk.ts'
import type { Env } from '../../env.ts'
import { findSetting } from '../../settings/settings.ts'
import type { Finding } from './history.findings.ts'
import { findOrigin, installationOf } from './history.origin.ts'
import { findSealKey, isSigned, type SealKey } from './history.sealKey.ts'
import {
  BEGINNING,
  findLastSeal,
  findSeal,
  isGenuine,
  ROWS_OF,
  type Seal,
  type SealEnd,
  type Sealed,
} from './history.seals.ts'

/** Rows that one seal covers at most. */
export const BATCH = 10_000
/** How far before the last sealed rows new ones may be dated: transactions take their time, and clocks differ. */
const TOLERANCE = days(1)

const hash = z.string().regex(/^[0-9a-f]{64}$/)
const moment = z.iso.datetime({ precision: 3 })
const Numbers = z.strictObject({ history: z.int(), signIns: z.int(), signOuts: z.int() })
const End = { no: z.int().min(0), hash, to: Numbers }
export const SealBase = z.strictObject(End)

const Head = z.strictObject({
  /** The installation, and its last restore. */
  origin: z.string(),
  /** The last seal, and the last number that is sealed of each kind of rows. */
  ...End,
  /** The latest moment of sealed rows, from when all rows were sealed: new ones are not dated much earlier. */
  rowDT: z.strictObject({ history: moment.nullable(), signIns: moment.nullable() }),
  /** The latest beginning of the retention period so far: rows of earlier months may be gone. */
  keptSince: moment.nullable(),
  /** The last seal that the operator accepted without proof. */
  base: SealBase.nullable(),
  /** When it was taken from the database; null if this node has followed all seals. */
  newDT: moment.nullable(),
})
export type Head = z.output<typeof Head>

const EMPTY = { history: 0, signIns: 0, signOuts: 0 }
export const NO_HEAD: Head = {
  origin: '',
  no: 0,
  hash: BEGINNING.toString('hex'),
  to: EMPTY,
  rowDT: { history: null, signIns: null },
  keptSince: null,
  base: null,
  newDT: null,
}

/** Spells and signs a head. */
export function writeHead(head: Head, key: SealKey): string {
  const text = JSON.stringify(Head.parse(head))
  return JSON.stringify({ head: text, signature: key.sign('head', Buffer.from(text)).toString('base64') })
}

const Envelope = z.strictObject({ head: z.string(), signature: z.string() })

/** Reads a signed head; undefined for one that was altered or is of another key. */
export function readHead(text: string, publicKey: string): Head | undefined {
  try {
    const { head, signature } = Envelope.parse(JSON.parse(text))
    if (!isSigned('head', Buffer.from(head), Buffer.from(signature, 'base64'), publicKey)) return undefined
    return Head.parse(JSON.parse(head))
  } catch {
    return undefined
  }
}

export const headFile = ({ dataDir }: Pick<Env, 'dataDir'>): string => join(dataDir, 'history.head')

export const keepHeadFile = (env: Pick<Env, 'dataDir'>, head: Head, key: SealKey): Promise<void> =>
  replaceFile(headFile(env), `${writeHead(head, key)}\n`)

/** Reads the head that this node keeps; undefined if it keeps none, 'altered' if it cannot be read. */
export async function findHeadFile(
  env: Pick<Env, 'dataDir'>,
  publicKey: string,
): Promise<Head | 'altered' | undefined> {
  const text = await readFile(headFile(env), 'utf8').catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return undefined
    return ''
  })
  return text === undefined ? undefined : (readHead(text, publicKey) ?? 'altered')
}

/** Returns the head behind one more seal. */
export function headBehind(head: Head, seal: Seal): Head {
  const { source } = seal
  const next = { ...head, no: seal.no, hash: seal.hash.toString('hex'), to: { ...head.to, [source]: seal.toIdx } }
  // While rows of earlier times are sealed in batches, their order in time is unknown.
  if (source === 'signOuts' || seal.rows === BATCH) return next
  const rowDT = new Date(Math.min(Number(seal.lastDT), Number(seal.sealDT))).toISOString()
  return { ...next, rowDT: { ...head.rowDT, [source]: rowDT } }
}

type Examined = { finding: Finding } | { head: Head; isChanged: boolean; isAdopted: boolean }
type HeadServices = Pick<Services, 'env' | 'clock'> & { key: SecretKey }

/** Compares the seals with the head that this node keeps, and new rows with the last seals. Writes nothing. */
export async function examineHead(db: Reader, services: HeadServices): Promise<Examined> {
  const { publicKey } = await findSealKey(db, services.key)
  const last = await findLastSeal(db)
  const origin = (await findOrigin(db)) ?? ''
  const kept = await findHeadFile(services.env, publicKey)
  if (kept === 'altered') return { finding: { fault: 'file' } }
  if (kept !== undefined && kept.origin !== origin) return { finding: { fault: 'origin' } }
  const known = kept ?? (await adoptHead(db, origin, last, publicKey))
  if (known === undefined) return { finding: { fault: 'noFile' } }
  const head = await followSeals(db, known, last, publicKey)
  if ('fault' in head) return { finding: head }
  const finding = (await findUnsent(db, head)) ?? (await findStray(db)) ?? (await findEarly(db, head))
  if (finding !== undefined) return { finding }
  const isAdopted = kept === undefined && last !== undefined
  const newDT = isAdopted ? services.clock.now().toISOString() : head.newDT
  return { head: { ...head, newDT }, isChanged: kept?.no !== head.no, isAdopted }
}

/** Takes the signed head from the database; undefined if there are seals without one. */
async function adoptHead(db: Reader, origin: string, last: SealEnd | undefined, publicKey: string) {
  const text = await findSetting(db, 'historyHead')
  if (text !== undefined) {
    const head = readHead(text, publicKey)
    return head && installationOf(head.origin) === installationOf(origin) ? { ...head, origin } : undefined
  }
  return last === undefined ? { ...NO_HEAD, origin } : undefined
}

/** Verifies the seals behind a head, and returns the head behind the last one. */
async function followSeals(db: Reader, head: Head, last: SealEnd | undefined, publicKey: string) {
  if ((last?.no ?? 0) < head.no) return { fault: 'head', no: head.no } as const
  const own = head.no === last?.no ? last : head.no === 0 ? undefined : await findSeal(db, head.no)
  if (head.no > 0 && own?.hash.toString('hex') !== head.hash) return { fault: 'head', no: head.no } as const
  let reached = head
  for (let no = head.no + 1; no <= (last?.no ?? 0); no++) {
    const seal = await findSeal(db, no)
    if (seal === undefined || !isGenuine(seal, Buffer.from(reached.hash, 'hex'), publicKey))
      return { fault: 'seal', no } as const
    reached = headBehind(reached, seal)
  }
  return reached
}

/** An outlet has sent a seal that is not there. */
async function findUnsent(db: Reader, head: Head): Promise<Finding | undefined> {
  const row = await db
    .selectFrom('historyOutlets')
    .select(({ fn }) => fn.max('toIdx').as('no'))
    .where('source', '=', 'historySeals')
    .executeTakeFirst()
  return row?.no != null && row.no > head.no ? { fault: 'head', no: row.no } : undefined
}

const SEQUENCES = [
  ['history', 'history_idx_seq'],
  ['signIns', 'signIns_idx_seq'],
  ['signOuts', 'signInsEnd'],
] as const

/** Selects the first row of a kind on a condition. The order forces the index, also without statistics of the table. */
const firstOf = (source: Sealed, condition: (no: RawBuilder<number>) => RawBuilder<boolean>) => {
  const { table, no } = ROWS_OF[source]
  const column = sql.ref<number>(no)
  return sql`(
    select ${sql.lit(source)} as source, ${column} as idx from ${sql.table(table)} where ${condition(column)} order by 2 limit 1)`
}
const unionOf = (selects: readonly RawBuilder<unknown>[]) =>
  sql<{ source: Sealed; idx: number }>`(${sql.join(selects, sql` union all `)})`.as('found')

// Prepared: to plan a statement over all months takes longer than to run it.
const selectStray = compiledOnce((db) =>
  db
    .selectFrom(
      unionOf(
        SEQUENCES.flatMap(([source, sequence]) => [
          firstOf(source, (no) => sql`${no} < 1`),
          firstOf(source, (no) => sql`${no} > (select last_value from ${sql.id(sequence)})`),
        ]),
      ),
    )
    .selectAll()
    .limit(sql.lit(1)),
)

/** Finds a row with a number that its sequence has not given out. */
export async function findStray(db: Reader): Promise<Finding | undefined> {
  const [row] = await selectStray(db, undefined)
  return row && { fault: 'number', ...row }
}

const DATED = ['history', 'signIns'] as const
type Bounds = Record<(typeof DATED)[number], { no: number; since: Date | null }>

const selectEarly = compiledOnce((db, bounds: Expression<Bounds>) =>
  db
    .selectFrom(
      unionOf(
        DATED.map((source) => {
          // In a subquery, its value does not count in the planner's estimate, so that one plan is kept.
          const bound = (name: string) => sql`select ${bounds}::jsonb -> ${sql.lit(source)} ->> ${sql.lit(name)}`
          const at = sql.ref(ROWS_OF[source].at)
          return firstOf(
            source,
            (no) => sql`${no} > (${bound('no')})::bigint and ${at} < (${bound('since')})::timestamptz`,
          )
        }),
      ),
    )
    .selectAll()
    .limit(sql.lit(1)),
)

/** Finds a row that is not sealed yet and is dated long before those that are. */
export async function findEarly(db: Reader, { to, rowDT }: Head): Promise<Finding | undefined> {
  const boundOf = (source: (typeof DATED)[number]) => {
    const since = rowDT[source]
    return { no: to[source], since: since === null ? null : later(new Date(since), -TOLERANCE) }
  }
  const [row] = await selectEarly(db, { history: boundOf('history'), signIns: boundOf('signIns') })
  return row && { fault: 'early', ...row }
}
