// Each minute: removes what has ended, and announces ends 7 days and 1 day before. What is announced is marked in the
// transaction that stores the mails, so that no run on any node mails it twice.

import { OwnerType } from '@acc/contract/labels/policies'
import { today } from '../../clock.ts'
import { logOf } from '../../core/change.ts'
import { asSystem, type Job } from '../../core/job.ts'
import { findUsers, notifyUsers } from '../../core/people.ts'
import type { Services } from '../../core/services.ts'
import type { Reader } from '../../db/open.ts'
import type { EndingLine } from '../../mail/endTemplates.ts'
import { findAuthoritiesWithEnded } from '../authorities/authorities.ends.ts'
import { removeEndedMembers } from '../authorities/authorities.service.ts'
import { enqueueMail } from '../mails/mails.service.ts'
import { findEndedPolicies, findPoliciesWithEnded, removeEndedExceptions } from '../policies/policies.ends.ts'
import { lockOwner } from '../policies/policies.queries.ts'
import { removeEndedPolicy } from '../policies/policies.service.ts'
import { findPeople, markEnding } from './ends.queries.ts'

/** Objects of one run at most. Each is changed in a transaction of its own. */
const MAX = 1_000

/** Ends the own policy of a person, who inherits again. */
const endPolicy = (services: Services, userIdx: number) =>
  asSystem(services, async (tx) => {
    const owner = await lockOwner(tx, { ownerIdx: userIdx, ownerType: OwnerType.USER })
    const log = owner === undefined ? [] : await removeEndedPolicy(tx, owner)
    if (log.length > 0) await notifyUsers(tx, await findUsers(tx, [userIdx]))
    return { result: undefined, log: logOf(log) }
  })

const endExceptions = (services: Services, policyIdx: number) =>
  asSystem(services, async (tx) => ({ result: undefined, log: logOf(await removeEndedExceptions(tx, policyIdx)) }))

const endMemberships = (services: Services, authorityIdx: number) =>
  asSystem(services, async (tx) => ({
    result: undefined,
    log: logOf(await removeEndedMembers(tx, services, authorityIdx)),
  }))

type Step = readonly [
  find: (db: Reader, limit: number) => Promise<number[]>,
  end: (services: Services, idx: number) => Promise<void>,
]
const STEPS: readonly Step[] = [
  [findEndedPolicies, endPolicy],
  [findPoliciesWithEnded, endExceptions],
  [findAuthoritiesWithEnded, endMemberships],
]

/** Mails the people concerned, and those who set the ends. A person gets one mail about everything. */
async function mailEnds(services: Services): Promise<void> {
  await asSystem(services, async (tx) => {
    const ending = await markEnding(tx)
    if (ending.length === 0) return
    const idxes = ending.flatMap(({ userIdx, setBy }) => [userIdx, setBy]).filter((idx) => idx !== null)
    const people = new Map((await findPeople(tx, idxes, today(services.clock))).map((person) => [person.idx, person]))
    const mails = new Map<number, EndingLine[]>()
    for (const { kind, what, endDT, userIdx, groupName, setBy } of ending) {
      const ownerName = people.get(userIdx ?? 0)?.name ?? groupName ?? ''
      for (const idx of new Set([userIdx, setBy].filter((one) => one !== null)))
        mails.set(idx, [...(mails.get(idx) ?? []), { kind, what, ownerName, endDT }])
    }
    for (const [idx, ends] of mails) {
      const { name, email, isActive } = people.get(idx) ?? {}
      if (isActive && name !== undefined && email !== undefined)
        await enqueueMail(tx, services, 'exceptionsEnd', { to: email, name, ends })
    }
  })
}

export async function runEnds(services: Services): Promise<void> {
  for (const [find, end] of STEPS) for (const idx of await find(services.db.read, MAX)) await end(services, idx)
  await mailEnds(services)
}

export const endJobs: readonly Job[] = [{ name: 'endExceptions', cron: '* * * * *', run: runEnds }]
