// The rows of mails. A mail's sealed text leaves the table one row at a time.
import { MailState, ShownMailState } from '@acc/contract/labels/mails'
import type { mails } from '@acc/contract/mails'
import { type Expression, type Insertable, type Selectable, type SqlBool, sql, type Updateable } from 'kysely'
import type { z } from 'zod'
import { filterBy } from '../../db/filters.ts'
import { type List, listOf, searchedIn } from '../../db/list.ts'
import type { Reader, Tx } from '../../db/open.ts'
import type { Mails } from '../../db/schema.gen.ts'

export type MailRow = Selectable<Mails>
export type ListedMail = Omit<MailRow, 'body'>
/** A mail claimed by this node: no other node takes it before its nextTryDT. */
export type ClaimedMail = Pick<MailRow, 'idx' | 'receiver' | 'subject' | 'tries' | 'createDT' | 'body'>

const LISTED = [
  'idx',
  'receiver',
  'subject',
  'state',
  'tries',
  'createDT',
  'sentDT',
  'nextTryDT',
  'lastError',
  'isInOutbox',
] as const

type Query = z.output<typeof mails.search.input>

/** What a mail is shown as: a sent one is in the evaluation outbox or was given to a mail server. */
function isShownAs(shown: ShownMailState): Expression<SqlBool> {
  if (shown === ShownMailState.IN_OUTBOX) return sql`state = ${MailState.SENT} and "isInOutbox" = 1`
  return shown === MailState.SENT ? sql`state = ${shown} and "isInOutbox" = 0` : sql`state = ${shown}`
}

const SORTS = {
  idx: sql.ref('idx'),
  receiver: sql.ref('receiver'),
  state: sql.ref('state'),
  createDT: sql.ref('createDT'),
  sentDT: sql.ref('sentDT'),
}

export function listMails(db: Reader, query: Query): List<ListedMail> {
  const receiver = (text: string) => sql<SqlBool>`position(lower(${text}) in lower(receiver)) > 0`
  const filters = { state: (state: MailState) => sql<SqlBool>`state = ${state}`, shownState: isShownAs }
  const { condition, texts } = filterBy(query, { receiver }, filters)
  const matches = db.selectFrom('mails').select(LISTED).where(condition)
  return listOf(db, query, { matches, sorts: SORTS, searchIn: searchedIn('mails', texts) })
}

export const findMail = (db: Reader, idx: number): Promise<MailRow | undefined> =>
  db.selectFrom('mails').selectAll().where('idx', '=', idx).executeTakeFirst()

/** The idx of a mail to be inserted: its text is sealed for it. */
export async function nextMailIdx(tx: Tx): Promise<number> {
  const { rows } = await sql<{ idx: number }>`select nextval(pg_get_serial_sequence('mails', 'idx')) as idx`.execute(tx)
  return rows[0]?.idx ?? 0
}

export async function insertMail(tx: Tx, row: Insertable<Mails>): Promise<void> {
  await tx.insertInto('mails').values(row).execute()
}

/** Claims a due mail and counts the try. Returns undefined if another node has claimed it or it no longer waits. */
export const claimMail = (tx: Tx, idx: number, now: Date, until: Date): Promise<ClaimedMail | undefined> =>
  tx
    .updateTable('mails')
    .set((eb) => ({ tries: eb('tries', '+', 1), nextTryDT: until, lastError: null }))
    .where('idx', '=', idx)
    .where('state', '=', MailState.WAITING)
    .where('nextTryDT', '<=', now)
    .returning(['idx', 'receiver', 'subject', 'tries', 'createDT', 'body'])
    .executeTakeFirst()

/** Writes what became of a claimed mail, unless its claim ran out and another try began. */
export async function settleMail(tx: Tx, { idx, tries }: ClaimedMail, outcome: Updateable<Mails>): Promise<void> {
  await tx
    .updateTable('mails')
    .set(outcome)
    .where('idx', '=', idx)
    .where('tries', '=', tries)
    .where('state', '=', MailState.WAITING)
    .execute()
}

export async function updateMail(tx: Tx, idx: number, values: Updateable<Mails>): Promise<void> {
  await tx.updateTable('mails').set(values).where('idx', '=', idx).execute()
}

export const lockMail = (tx: Tx, idx: number): Promise<MailRow | undefined> =>
  tx.selectFrom('mails').selectAll().where('idx', '=', idx).forUpdate().executeTakeFirst()

/** Returns the mails whose next try is due, longest waiting first. */
export async function findDueMails(db: Reader, now: Date, count: number): Promise<number[]> {
  const rows = await db
    .selectFrom('mails')
    .select('idx')
    .where('state', '=', MailState.WAITING)
    .where('nextTryDT', '<=', now)
    .orderBy('nextTryDT')
    .limit(count)
    .execute()
  return rows.map(({ idx }) => idx)
}

/** Deletes mails older than `bound` that no longer wait; returns their number. */
export async function deleteOldMails(tx: Tx, bound: Date): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('mails')
    .where('createDT', '<', bound)
    .where('state', '!=', MailState.WAITING)
    .executeTakeFirst()
  return Number(numDeletedRows)
}
