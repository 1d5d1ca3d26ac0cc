// The rows of the history that go out, in their order, as every outlet writes them: changes, sign-ins, and the seals, by which a
// receiver knows later that nothing was altered or cut off here.
import { eventLabel } from '@acc/contract/history/kinds'
import { sql } from 'kysely'
import type { Reader } from '../../db/open.ts'

export const SOURCES = ['history', 'signIns', 'historySeals'] as const
export type Source = (typeof SOURCES)[number]

export type Outgoing = {
  idx: number
  at: Date
  /** Something was refused or failed. */
  isWarning: boolean
  /** All of the row; `id` is the same whenever the row is sent again. */
  document: { id: string; kind: string; event: string; [name: string]: unknown }
}

/** Rows with `after < idx <= to`, the first `limit` of them. */
type Range = { after: number; to: number; limit: number }

/** What a row says of its event, in the words of the history screen. */
function eventOf(kind: string, type: number, result = 0) {
  const label = eventLabel(kind, type)
  const isWarning = result !== 0 || label?.tone === 'warn' || label?.tone === 'bad'
  return { event: label?.en ?? String(type), isWarning }
}

async function findChanges(db: Reader, { after, to, limit }: Range): Promise<Outgoing[]> {
  const rows = await db
    .selectFrom('history')
    .select(['idx', 'kind', 'logDT', 'actorIdx', 'actorId', 'actorName', 'actorGroupName', 'subject', 'subjectIdx'])
    .select(['groupIdx', 'ip', 'type', 'result', 'detail'])
    .where('idx', '>', after)
    .where('idx', '<=', to)
    .orderBy('idx')
    .limit(limit)
    .execute()
  return rows.map(({ idx, kind, ...row }) => {
    const { event, isWarning } = eventOf(kind, row.type, row.result)
    return { idx, at: row.logDT, isWarning, document: { id: `history-${idx}`, kind, event, ...row } }
  })
}

async function findSignIns(db: Reader, { after, to, limit }: Range): Promise<Outgoing[]> {
  const rows = await db
    .selectFrom('signIns')
    .select(['idx', 'kind', 'loginDT', 'userIdx', 'userId', 'userName', 'userGroupName', 'groupIdx', 'ip', 'userRole'])
    .select(['type', 'clientVersion', 'deviceName'])
    .where('idx', '>', after)
    .where('idx', '<=', to)
    .orderBy('idx')
    .limit(limit)
    .execute()
  return rows.map(({ idx, ...row }) => {
    const kind = row.kind === 'client' ? 'clientLogin' : 'webLogin'
    const { event, isWarning } = eventOf(kind, row.type)
    return { idx, at: row.loginDT, isWarning, document: { id: `signIn-${idx}`, ...row, kind, event } }
  })
}

async function findSeals(db: Reader, { after, to, limit }: Range): Promise<Outgoing[]> {
  const rows = await db
    .selectFrom('historySeals')
    .select(['no', 'toIdx', 'rows', 'sealDT', sql<string>`encode(hash, 'hex')`.as('hash')])
    .select(sql<string>`encode(signature, 'base64')`.as('signature'))
    .where('no', '>', after)
    .where('no', '<=', to)
    .orderBy('no')
    .limit(limit)
    .execute()
  return rows.map((row) => ({
    idx: row.no,
    at: row.sealDT,
    isWarning: false,
    document: { id: `seal-${row.no}`, kind: 'historySeal', event: 'Sealed', ...row },
  }))
}

const FINDERS = { history: findChanges, signIns: findSignIns, historySeals: findSeals } satisfies Record<
  Source,
  (db: Reader, range: Range) => Promise<Outgoing[]>
>

export const findOutgoing = (db: Reader, source: Source, range: Range): Promise<Outgoing[]> =>
  FINDERS[source](db, range)

const MOMENTS = { history: 'logDT', signIns: 'loginDT', historySeals: 'sealDT' } as const
const NUMBERS = { history: 'idx', signIns: 'idx', historySeals: 'no' } as const

/** When the first row behind a number was written; null if there is none. */
export async function findMomentAfter(db: Reader, source: Source, idx: number): Promise<Date | null> {
  const { ref } = db.dynamic
  const row = await db
    .selectFrom(source)
    .select(sql<Date>`${sql.ref(MOMENTS[source])}`.as('at'))
    .where(ref(NUMBERS[source]), '>', idx)
    .orderBy(ref(NUMBERS[source]))
    .limit(1)
    .executeTakeFirst()
  return row?.at ?? null
}
