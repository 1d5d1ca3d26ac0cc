// Absences as rows, and the people who may be substitutes. Moments are compared with the database's clock.
import { MAX_SUBSTITUTES } from '@acc/contract/absences'
import { type Expression, type Insertable, type SqlBool, sql } from 'kysely'
import { actingFor, isAdminOrMember, maySubstitute, pagesDecided } from '../../core/grants.ts'
import type { Reader, Tx } from '../../db/open.ts'
import type { Absences } from '../../db/schema.gen.ts'
import { contains, nameContains } from '../../db/search.ts'
import { compiledOnce, executePrepared } from '../../db/statement.ts'
import { isUsable } from '../credentials/accountStates.ts'

const isNotOver = sql<SqlBool>`absences."endDT" > now()`

// Prepared, as the next ones: planning takes several times as long as reading.
/** Finds the current and future absences of a person. */
export const findOwn = compiledOnce((db, userIdx: Expression<number>) =>
  db
    .selectFrom('absences')
    .innerJoin('users as absent', 'absent.idx', 'absences.userIdx')
    .innerJoin('users as substitute', 'substitute.idx', 'absences.substituteIdx')
    .select(['absences.idx', 'absences.startDT', 'absences.endDT', 'absences.reason'])
    .select(['substitute.id as substituteId', 'substitute.name as substituteName'])
    .select(sql<0 | 1>`${maySubstitute}::int`.as('isEffective'))
    .where('absences.userIdx', '=', userIdx)
    .where(isNotOver)
    .orderBy('absences.startDT'),
)

/** Finds the absent people whose substitute a person is now. */
export function findSubstitutions(db: Reader, userIdx: number) {
  const query = db
    .selectFrom('absences')
    .innerJoin('users', 'users.idx', 'absences.userIdx')
    .innerJoin('groups', 'groups.idx', 'users.groupIdx')
    .select(['users.name', 'groups.name as groupName', 'absences.endDT'])
    .where('absences.substituteIdx', '=', userIdx)
    .where('absences.userIdx', '=', sql<number>`any(array(${actingFor(userIdx)}))`)
    .where(sql<SqlBool>`absences."startDT" <= now()`)
    .where(isNotOver)
    .orderBy(sql`users.name collate people`)
  return executePrepared(db, query.compile())
}

/** Whether a person's account may be used and they decide requests of any direction. */
export async function isApprover(db: Reader, userIdx: number, today: string): Promise<boolean> {
  const person = db.selectFrom('users').select('users.idx').where('users.idx', '=', userIdx)
  const approver = person
    .where(isUsable('users', today))
    .where((eb) => eb.or([eb('users.isAdmin', '=', 1), eb(pagesDecided(eb.ref('users.idx')), '<>', 0)]))
  return (await executePrepared(db, approver.compile())).length > 0
}

/** People who may be the substitute of a person. */
const matchSubstitutes = (db: Reader, userIdx: number, today: string) =>
  db
    .selectFrom('users as substitute')
    .innerJoin('users as absent', (join) => join.on('absent.idx', '=', userIdx))
    .whereRef('substitute.idx', '!=', 'absent.idx')
    .where((eb) => isAdminOrMember(eb.ref('substitute.idx')))
    .where(isUsable('substitute', today))
    .where(maySubstitute)

export async function isEligibleSubstitute(db: Reader, userIdx: number, substituteIdx: number, today: string) {
  const match = matchSubstitutes(db, userIdx, today).where('substitute.idx', '=', substituteIdx)
  return (await match.select('substitute.idx').executeTakeFirst()) !== undefined
}

/** Finds the first possible substitutes whose name or ID contains a text. */
export const findSubstitutes = (db: Reader, userIdx: number, text: string, today: string) =>
  matchSubstitutes(db, userIdx, today)
    .innerJoin('groups', 'groups.idx', 'substitute.groupIdx')
    .select(['substitute.idx', 'substitute.id', 'substitute.name', 'groups.name as groupName'])
    .where((eb) =>
      eb.or([nameContains(eb.ref('substitute.name'), text, 'rows'), contains(eb.ref('substitute.id'), text, 'rows')]),
    )
    .orderBy(sql`substitute.name collate people`)
    .orderBy('substitute.idx')
    .limit(MAX_SUBSTITUTES)
    .execute()

/** Key of the advisory lock under which absences are added. */
const ABSENCES_LOCK = 4_801_005

/** Lets one absence be added at a time, until the transaction ends. Returns the time of the database. */
export async function lockAbsences(tx: Tx): Promise<Date> {
  await sql`select pg_advisory_xact_lock(${ABSENCES_LOCK})`.execute(tx)
  return (await tx.selectNoFrom(sql<Date>`now()`.as('now')).executeTakeFirstOrThrow()).now
}

type NewAbsence = Insertable<Absences> & { startDT: Date; endDT: Date }

/** Whether a person is absent at any time of a period. */
export async function isOverlapping(tx: Tx, { userIdx, startDT, endDT }: NewAbsence): Promise<boolean> {
  const others = tx.selectFrom('absences').select('idx').where('userIdx', '=', userIdx)
  return (await others.where('startDT', '<', endDT).where('endDT', '>', startDT).executeTakeFirst()) !== undefined
}

/** Whether, at any moment of a period, the substitutes from one person on lead back to that person. */
export async function isCircle(tx: Tx, { userIdx, substituteIdx, startDT, endDT }: NewAbsence): Promise<boolean> {
  const { rows } = await sql`
    with recursive chain as (
      select ${substituteIdx}::bigint as idx, ${startDT}::timestamptz as "startDT", ${endDT}::timestamptz as "endDT"
      union
      select a."substituteIdx", greatest(chain."startDT", a."startDT"), least(chain."endDT", a."endDT")
      from chain join absences a on a."userIdx" = chain.idx
      where chain.idx <> ${userIdx} and a."startDT" < chain."endDT" and a."endDT" > chain."startDT")
    select from chain where idx = ${userIdx} limit 1`.execute(tx)
  return rows.length > 0
}

export const insertAbsence = (tx: Tx, absence: NewAbsence) =>
  tx.insertInto('absences').values(absence).returning('idx').executeTakeFirstOrThrow()

const selectLasting = (tx: Tx, idx: number) =>
  tx.selectFrom('absences').selectAll().where('idx', '=', idx).where(isNotOver)

/** Finds an absence that is not over. */
export const findLasting = (tx: Tx, idx: number) => selectLasting(tx, idx).executeTakeFirst()

/** Locks it until the transaction ends. */
export const findForUpdate = (tx: Tx, idx: number) => selectLasting(tx, idx).forUpdate().executeTakeFirst()

const PEOPLE = ['userIdx', 'substituteIdx'] as const

export const deleteAbsence = (tx: Tx, idx: number) => tx.deleteFrom('absences').where('idx', '=', idx).execute()

/** Deletes absences that are over, and those of expired accounts. */
export const deleteOver = (tx: Tx, today: string) =>
  tx
    .deleteFrom('absences')
    .where(
      sql<SqlBool>`"endDT" <= now() or exists (
        select from users u where u.idx in ("userIdx", "substituteIdx") and u."isMortal" = 1 and u."expireDT" < ${today}::date)`,
    )
    .returning(PEOPLE)
    .execute()

/** Marks absences that have begun. */
export const updateBegun = (tx: Tx) =>
  tx
    .updateTable('absences')
    .set({ isAnnounced: true })
    .where('isAnnounced', '=', false)
    .where('startDT', '<=', sql<Date>`now()`)
    .returning(PEOPLE)
    .execute()
