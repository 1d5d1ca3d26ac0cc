// The outgoing rows of the history in their order, as every outlet writes them: changes, sign-ins, ends of sessions,
// and seals. By the seals a receiver can later check that nothing was altered or cut off here.
import { eventLabel } from '@acc/contract/history/kinds'
import { LogoutType } from '@acc/contract/labels/history'
import { sql } from 'kysely'
import type { Reader } from '../../db/open.ts'

export const SOURCES = ['history', 'signIns', 'signOuts', 'historySeals'] as const
export type Source = (typeof SOURCES)[number]

export type Outgoing = {
  idx: number
  at: Date
  /** Something was refused or failed. */
  isWarning: boolean
  /** All of the row; `id` is the same whenever the row is sent again. */
  document: { id: string; kind: string; event: string; [name: string]: unknown }
}

/** Rows with `after < idx <= to`, the first `limit` of them; `origin` is that of the database. */
type Range = { after: number; to: number; limit: number; origin: string }

/** A restored database gives its numbers out anew: ids hold the installation and its restores. */
const idOf = (origin: string, kind: 'history' | 'signIn' | 'signOut' | 'seal', no: number) => `${kind}-${origin}-${no}`

/** What a row says of its event, in the words of the history screen. */
function eventOf(kind: string, type: number, result = 0) {
  const label = eventLabel(kind, type)
  const isWarning = result !== 0 || label?.tone === 'warn' || label?.tone === 'bad'
  return { event: label?.en ?? String(type), isWarning }
}

async function findChanges(db: Reader, { after, to, limit, origin }: Range): Promise<Outgoing[]> {
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
    return { idx, at: row.logDT, isWarning, document: { id: idOf(origin, 'history', idx), kind, event, ...row } }
  })
}

const SIGN_IN = ['idx', 'kind', 'loginDT', 'userIdx', 'userId', 'userName', 'userGroupName', 'groupIdx', 'ip'] as const
const kindOf = (kind: string) => (kind === 'client' ? 'clientLogin' : 'webLogin')

async function findSignIns(db: Reader, { after, to, limit, origin }: Range): Promise<Outgoing[]> {
  const rows = await db
    .selectFrom('signIns')
    .select([...SIGN_IN, 'userRole', 'type', 'clientVersion', 'deviceName'])
    .where('idx', '>', after)
    .where('idx', '<=', to)
    .orderBy('idx')
    .limit(limit)
    .execute()
  return rows.map(({ idx, ...row }) => {
    const kind = kindOf(row.kind)
    const { event, isWarning } = eventOf(kind, row.type)
    return { idx, at: row.loginDT, isWarning, document: { id: idOf(origin, 'signIn', idx), ...row, kind, event } }
  })
}

/** The ends of sessions by their own numbers: a session ends long after its sign-in went out. */
async function findSignOuts(db: Reader, { after, to, limit, origin }: Range): Promise<Outgoing[]> {
  const rows = await db
    .selectFrom('signIns')
    .select([...SIGN_IN, 'logoutType', 'deviceName'])
    .select((eb) => [eb.ref('endNo').$notNull().as('endNo'), eb.ref('logoutDT').$notNull().as('logoutDT')])
    .where('endNo', '>', after)
    .where('endNo', '<=', to)
    .orderBy('endNo')
    .limit(limit)
    .execute()
  return rows.map(({ idx, endNo, ...row }) => {
    const { LOGOUT, SESSION_EXPIRED, labels } = LogoutType
    const event = labels[row.logoutType === LOGOUT ? LOGOUT : SESSION_EXPIRED].en
    const document = {
      id: idOf(origin, 'signOut', idx),
      ...row,
      kind: kindOf(row.kind),
      event,
      signInId: idOf(origin, 'signIn', idx),
    }
    return { idx: endNo, at: row.logoutDT, isWarning: false, document }
  })
}

async function findSeals(db: Reader, { after, to, limit, origin }: Range): Promise<Outgoing[]> {
  const rows = await db
    .selectFrom('historySeals')
    .select(['no', 'source', 'toIdx', 'rows', 'sealDT', sql<string>`encode(hash, 'hex')`.as('hash')])
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
    document: { id: idOf(origin, 'seal', row.no), kind: 'historySeal', event: 'Sealed', ...row },
  }))
}

const FINDERS = {
  history: findChanges,
  signIns: findSignIns,
  signOuts: findSignOuts,
  historySeals: findSeals,
} satisfies Record<Source, (db: Reader, range: Range) => Promise<Outgoing[]>>

export const findOutgoing = (db: Reader, source: Source, range: Range): Promise<Outgoing[]> =>
  FINDERS[source](db, range)

type Numbering = { table: 'history' | 'signIns' | 'historySeals'; no: 'idx' | 'endNo' | 'no'; at: string }
/** Where the rows of a source are, and by which number they go out. */
const NUMBERING: Readonly<Record<Source, Numbering>> = {
  history: { table: 'history', no: 'idx', at: 'logDT' },
  signIns: { table: 'signIns', no: 'idx', at: 'loginDT' },
  signOuts: { table: 'signIns', no: 'endNo', at: 'logoutDT' },
  historySeals: { table: 'historySeals', no: 'no', at: 'sealDT' },
}

/** When the first row behind a number was written; null if there is none. */
export async function findMomentAfter(db: Reader, source: Source, idx: number): Promise<Date | null> {
  const { ref } = db.dynamic
  const { table, no, at } = NUMBERING[source]
  const row = await db
    .selectFrom(table)
    .select(sql<Date>`${sql.ref(at)}`.as('at'))
    .where(ref(no), '>', idx)
    .orderBy(ref(no))
    .limit(1)
    .executeTakeFirst()
  return row?.at ?? null
}
