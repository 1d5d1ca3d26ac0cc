// Approval steps 2 and 3 of a policy: each is decided by the members of an authority. Step 1 has no row.
import { Level } from '@acc/contract/labels/access'
import { RequestState, Transfer } from '@acc/contract/labels/requests'
import type { PolicyStep, StepAuthority, StepChoice } from '@acc/contract/policySteps'
import { sql } from 'kysely'
import { today } from '../../clock.ts'
import type { Read } from '../../core/context.ts'
import { fail } from '../../core/errors.ts'
import { APPROVAL_PAGE, givesLevel, MEMBERS } from '../../core/grants.ts'
import type { HandlerServices } from '../../core/services.ts'
import type { Reader, Tx } from '../../db/open.ts'
import { isUsable } from '../credentials/accountStates.ts'
import { STEPS, userPolicy } from './policies.queries.ts'

/** Returns the steps that the policy in force gives a person's requests. */
export async function findUserSteps(db: Reader, userIdx: number): Promise<PolicyStep[]> {
  const applied = await userPolicy(db, userIdx).clearSelect().select(STEPS).executeTakeFirst()
  return applied?.approvalSteps ?? []
}

/** Locks authorities against changes until the transaction ends. Returns how many exist. */
async function lockAuthorities(tx: Tx, idxes: readonly number[]): Promise<number> {
  const authorities = tx.selectFrom('authorities').select('idx').where('idx', '=', sql<number>`any(${idxes}::bigint[])`)
  return (await authorities.orderBy('idx').forKeyShare().execute()).length
}

/**
 * Returns the later steps that the policy in force gives a person's requests of a direction, in their order. Locks the
 * authorities, so that none is deleted or loses its rights before the transaction ends.
 */
export async function findApprovalSteps(tx: Tx, requesterIdx: number, type: Transfer): Promise<PolicyStep[]> {
  const steps = (await findUserSteps(tx, requesterIdx)).filter((step) => step.type === type)
  if (steps.length === 0) return steps
  const idxes = steps.map(({ authorityIdx }) => authorityIdx)
  // An authority can be deleted once the policy names it no longer: the policy has changed since.
  return (await lockAuthorities(tx, idxes)) === idxes.length ? steps : findApprovalSteps(tx, requesterIdx, type)
}

const selectStepAuthorities = (db: Reader, services: Pick<HandlerServices, 'clock'>, type: Transfer) =>
  db
    .selectFrom('authorities as a')
    .select([
      'a.idx',
      'a.name',
      sql<number>`(
        select count(*) from users where users.idx in ${MEMBERS} and ${isUsable('users', today(services.clock))})`.as(
        'memberCount',
      ),
    ])
    .where(givesLevel(APPROVAL_PAGE[type], Level.EDIT))
    .orderBy(sql`a.name collate people`)
    .orderBy('a.idx')

/** Returns the authorities that may decide a step of a direction. */
export const findStepAuthorities = async (
  { read, services }: Read,
  { type }: { type: Transfer },
): Promise<{ authorities: StepAuthority[] }> => ({
  authorities: await selectStepAuthorities(read, services, type).execute(),
})

/** Locks the authorities of new steps, and fails if one of them cannot decide its step. */
async function requireDeciders(tx: Tx, services: HandlerServices, steps: readonly StepChoice[]): Promise<void> {
  await lockAuthorities(
    tx,
    steps.map(({ authorityIdx }) => authorityIdx),
  )
  for (const { type, authorityIdx } of steps) {
    const authority = await selectStepAuthorities(tx, services, type)
      .where('a.idx', '=', authorityIdx)
      .executeTakeFirst()
    if (authority === undefined) fail('UNFIT_AUTHORITY')
    if (authority.memberCount === 0) fail('NO_DECIDER')
  }
}

const keyOf = ({ type, step, authorityIdx }: StepChoice): string => `${type} ${step} ${authorityIdx}`
export const isSameSteps = (one: readonly StepChoice[], other: readonly StepChoice[]): boolean =>
  one.length === other.length && one.every((step) => other.some((same) => keyOf(same) === keyOf(step)))

/** Gives a new policy the steps of another one. */
export async function insertSteps(tx: Tx, policyIdx: number, steps: readonly StepChoice[]): Promise<void> {
  if (steps.length === 0) return
  const rows = steps.map(({ type, step, authorityIdx }) => ({ policyIdx, type, step, authorityIdx }))
  await tx.insertInto('policyApprovalSteps').values(rows).execute()
}

/** Replaces the steps of a policy. Authorities that decide the same direction already are not checked again. */
export async function saveSteps(
  tx: Tx,
  services: HandlerServices,
  policyIdx: number,
  { before, after }: { before: readonly StepChoice[]; after: readonly StepChoice[] },
): Promise<void> {
  const isKnown = ({ type, authorityIdx }: StepChoice) =>
    before.some((step) => step.type === type && step.authorityIdx === authorityIdx)
  await requireDeciders(
    tx,
    services,
    after.filter((step) => !isKnown(step)),
  )
  await tx.deleteFrom('policyApprovalSteps').where('policyIdx', '=', policyIdx).execute()
  await insertSteps(tx, policyIdx, after)
}

type Levels = Record<(typeof APPROVAL_PAGE)[Transfer], Level>

/**
 * Fails if an authority no longer gives what steps need: policies name it for a direction, or waiting requests of that
 * direction need its decision now or later. The authority must be locked.
 */
export async function requireStepsKept(tx: Tx, authorityIdx: number, given: Levels | null): Promise<void> {
  const lost = Transfer.values.filter((type) => given === null || given[APPROVAL_PAGE[type]] < Level.EDIT)
  const types = sql`any(${lost}::smallint[])`
  const uses = await tx
    .selectNoFrom([
      sql<number>`(
        select count(distinct "policyIdx") from "policyApprovalSteps"
        where "authorityIdx" = ${authorityIdx} and type = ${types})`.as('policies'),
      sql<number>`(
        select count(*) from "fileEximports" r join "requestSteps" s on s."fileEximportIdx" = r.idx and s.step >= r.step
        where r.state = ${sql.lit(RequestState.REQUESTED)} and r."isFileUploaded" = 1
          and s."authorityIdx" = ${authorityIdx} and r.type = ${types})`.as('requests'),
    ])
    .executeTakeFirstOrThrow()
  if (uses.policies + uses.requests > 0) fail('AUTHORITY_IN_USE', uses)
}
