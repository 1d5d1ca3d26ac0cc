// The organization of model.ts as rows: inserted, moved into the past, and read back.
import { NO_PAGE_AUTH } from '@acc/contract/core/access'
import { Level } from '@acc/contract/labels/access'
import { localDayOf } from '@acc/contract/labels/formats'
import { Transfer } from '@acc/contract/labels/requests'
import { UserState } from '@acc/contract/labels/users'
import { sql } from 'kysely'
import { days, later } from '../../src/clock.ts'
import type { Database } from '../../src/db/open.ts'
import { buildAuthority } from '../build/authorities.ts'
import { buildGroups } from '../build/groups.ts'
import { buildPolicy } from '../build/policies.ts'
import { buildUser } from '../build/users.ts'
import { type Authority, at, type Request, type Shown, type World } from './model.ts'

/** The beginning of a day in UTC, some days from today. */
export const midnight = (count: number): Date =>
  new Date(`${later(new Date(), days(count)).toISOString().slice(0, 10)}T00:00Z`)
/** The day of a moment, counted from today. */
const dayOf = (moment: Date): number => Math.floor((moment.getTime() - midnight(0).getTime()) / days(1))

/** Numbers of rows by name, and names by number. */
function register(initial: Record<string, number> = {}) {
  const idxes = new Map(Object.entries(initial))
  const known = new Map(Object.entries(initial).map(([name, idx]) => [idx, name]))
  return {
    add(name: string, idx: number) {
      idxes.set(name, idx)
      known.set(idx, name)
    },
    idx: (name: string): number => idxes.get(name) ?? 0,
    idxes: (names: readonly string[]): number[] => names.map((name) => idxes.get(name) ?? 0),
    all: (): number[] => [...idxes.values()],
    name: (idx: number): string => known.get(idx) ?? `unknown ${idx}`,
    nameOf: (idx: number | null): string | null => (idx === null ? null : (known.get(idx) ?? `unknown ${idx}`)),
  }
}

let built = 0

export type Rows = Awaited<ReturnType<typeof buildRows>>
/** Builds groups, people, authorities and policies of a new world. `admins`: the rows of its administrators. */
export async function buildRows(db: Database, w: World, admins: Record<string, number>) {
  const top = `world ${++built}`
  const pathOf = (name: string): string => {
    const parent = at(w.groups, name)
    return parent === null ? top : `${pathOf(parent)}/${top} ${name}`
  }
  const groups = register()
  const names = Object.keys(w.groups)
  const made = Object.values(await buildGroups(db, ...names.map(pathOf)))
  for (const [no, name] of names.entries()) groups.add(name, made[no]?.idx ?? 0)
  const people = register(admins)
  for (const [name, { group, isAdmin }] of Object.entries(w.people)) {
    if (isAdmin)
      await db.write
        .updateTable('users')
        .set({ name, groupIdx: groups.idx(group) })
        .where('idx', '=', people.idx(name))
        .execute()
    else people.add(name, (await buildUser(db, { name, group: { idx: groups.idx(group) } })).idx)
  }
  const authorities = register()
  for (const [name, { levels, groups: over, members }] of Object.entries(w.authorities)) {
    const row = await buildAuthority(db, {
      name: `${top} ${name}`,
      ...levelsOf(levels),
      groups: groups.idxes(over).map((idx) => ({ idx })),
      users: people.idxes(Object.keys(members)).map((idx) => ({ idx })),
    })
    authorities.add(name, row.idx)
  }
  const policies = register()
  for (const [name, { fileExport, steps }] of Object.entries(w.policies)) {
    const { idx } = await buildPolicy(db, { group: { idx: groups.idx(name) }, fileExport })
    policies.add(name, idx)
    const rows = choicesOf(steps, authorities.idx).map((choice) => ({ policyIdx: idx, ...choice }))
    if (rows.length > 0) await db.write.insertInto('policyApprovalSteps').values(rows).execute()
  }
  return { top, groups, people, authorities, policies, absences: register(), requests: register() }
}

/** The other levels are no subject of the model. One of them is above 0, as an authority needs it. */
export const levelsOf = (levels: Authority['levels']) => ({
  ...{ ...NO_PAGE_AUTH, log: Level.READ },
  fileExportApprove: levels[Transfer.EXPORT],
  fileImportApprove: levels[Transfer.IMPORT],
})
export const choicesOf = (steps: Record<Transfer, string[]>, idxOf: (name: string) => number) =>
  Transfer.values.flatMap((type) =>
    steps[type].map((name, no) => ({ type, step: no === 0 ? (2 as const) : (3 as const), authorityIdx: idxOf(name) })),
  )

/** Lets days pass: the clock of the database decides, so everything with a date is moved into the past. */
export async function pass(db: Database, count: number) {
  const shift = sql`make_interval(hours => ${24 * count})`
  await sql`update absences set "startDT" = "startDT" - ${shift}, "endDT" = "endDT" - ${shift}`.execute(db.write)
  await sql`update "authorityUsers" set "endDT" = "endDT" - ${shift} where "endDT" is not null`.execute(db.write)
  await sql`update users set "expireDT" = "expireDT" - ${count}::int where "isMortal" = 1`.execute(db.write)
}

async function readRequests(db: Database, rows: Rows) {
  const { rows: found } = await sql<{
    idx: number
    type: Request['type']
    requesterIdx: number | null
    requesterGroupIdx: number
    state: Request['state']
    isFileUploaded: 0 | 1
    step: number
    steps: number
    later: (number | null)[]
    decisions: { step: number; decision: 0 | 1; deciderIdx: number | null; forIdx: number | null }[]
  }>`select idx, type, "requesterIdx", "requesterGroupIdx", state, "isFileUploaded", step, steps,
      (select coalesce(json_agg(s."authorityIdx" order by s.step), '[]') from "requestSteps" s where s."fileEximportIdx" = r.idx) as later,
      (select coalesce(json_agg(d order by d.step), '[]') from "requestDecisions" d where d."fileEximportIdx" = r.idx) as decisions
    from "fileEximports" r`.execute(db.read)
  return found.map(({ idx, requesterIdx, requesterGroupIdx, isFileUploaded, steps, later, decisions, ...same }) => {
    if (steps !== 1 + later.length) throw new Error(`request ${idx} has ${steps} steps and ${later.length} later ones`)
    const request: Request = {
      ...same,
      requester: rows.people.nameOf(requesterIdx),
      group: rows.groups.name(requesterGroupIdx),
      isComplete: isFileUploaded === 1,
      later: later.map(rows.authorities.nameOf),
      decisions: decisions.map(({ step, decision, deciderIdx, forIdx }) => {
        return { step, decision, decider: rows.people.nameOf(deciderIdx), absent: rows.people.nameOf(forIdx) }
      }),
    }
    return [rows.requests.name(idx), request] as const
  })
}

async function readAuthorities(db: Database, rows: Rows, day: number) {
  const { rows: found } = await sql<{
    idx: number
    fileExportApprove: 0 | 1 | 2
    fileImportApprove: 0 | 1 | 2
    groups: number[]
    members: { userIdx: number; endDT: string | null }[]
  }>`select idx, "fileExportApprove", "fileImportApprove",
      (select coalesce(json_agg("groupIdx"), '[]') from "authorityGroups" g where g."authorityIdx" = a.idx) as groups,
      (select coalesce(json_agg(m), '[]') from "authorityUsers" m
        where m."authorityIdx" = a.idx and coalesce(m."endDT" > now(), true)) as members
    from authorities a where idx = any(${rows.authorities.all()})`.execute(db.read)
  return found.map(({ idx, fileExportApprove, fileImportApprove, groups, members }) => {
    const authority: Authority = {
      levels: { [Transfer.EXPORT]: fileExportApprove, [Transfer.IMPORT]: fileImportApprove },
      groups: groups.map(rows.groups.name).sort(),
      members: Object.fromEntries(
        members.map(({ userIdx, endDT }) => {
          return [rows.people.name(userIdx), { lastDay: endDT === null ? null : day + dayOf(new Date(endDT)) - 1 }]
        }),
      ),
    }
    return [rows.authorities.name(idx), authority] as const
  })
}

/** Reads the rows of a world as `shown` returns the model. */
export async function readShown(db: Database, rows: Rows, day: number): Promise<Shown> {
  const of = (idxes: number[]) => sql<number>`any(${idxes})`
  const [requests, authorities, absences, policies, steps, people, groups] = await Promise.all([
    readRequests(db, rows),
    readAuthorities(db, rows, day),
    db.read.selectFrom('absences').selectAll().where('endDT', '>', sql<Date>`now()`).execute(),
    db.read
      .selectFrom('policies')
      .select(['idx', 'fileExport', 'fileExportSetBy'])
      .where('idx', '=', of(rows.policies.all()))
      .execute(),
    db.read.selectFrom('policyApprovalSteps').selectAll().orderBy('step').execute(),
    db.read.selectFrom('users').selectAll().where('idx', '=', of(rows.people.all())).execute(),
    db.read.selectFrom('groups').select(['idx', 'parentIdx']).where('idx', '=', of(rows.groups.all())).execute(),
  ])
  const stepsOf = (policyIdx: number, type: Transfer) =>
    steps.flatMap((step) =>
      step.policyIdx === policyIdx && step.type === type ? [rows.authorities.name(step.authorityIdx)] : [],
    )
  const lastDayOf = (expireDT: string) =>
    day + Math.round((Date.parse(expireDT) - Date.parse(localDayOf(new Date()))) / days(1))
  return {
    requests: Object.fromEntries(requests),
    authorities: Object.fromEntries(authorities),
    absences: Object.fromEntries(
      absences.map(({ idx, userIdx, substituteIdx, startDT, endDT }) => [
        rows.absences.name(idx),
        {
          person: rows.people.name(userIdx),
          substitute: rows.people.name(substituteIdx),
          from: day + Math.max(0, dayOf(startDT)),
          to: day + dayOf(endDT) - 1,
        },
      ]),
    ),
    policies: Object.fromEntries(
      policies.map(({ idx, fileExport, fileExportSetBy }) => {
        const own = {
          [Transfer.EXPORT]: stepsOf(idx, Transfer.EXPORT),
          [Transfer.IMPORT]: stepsOf(idx, Transfer.IMPORT),
        }
        return [rows.policies.name(idx), { fileExport, setBy: rows.people.nameOf(fileExportSetBy), steps: own }]
      }),
    ),
    people: Object.fromEntries(
      people.map(({ idx, isAdmin, groupIdx, state, isMortal, expireDT }) => [
        rows.people.name(idx),
        {
          isAdmin: isAdmin === 1,
          group: rows.groups.name(groupIdx),
          isSuspended: (state & UserState.DISABLED) !== 0,
          lastDay: isMortal === 1 && expireDT !== null ? lastDayOf(expireDT) : null,
        },
      ]),
    ),
    groups: Object.fromEntries(groups.map(({ idx, parentIdx }) => [rows.groups.name(idx), parentOf(rows, parentIdx)])),
  }
}
/** The top of a world is below the root. */
const parentOf = (rows: Rows, parentIdx: number | null) => {
  const name = rows.groups.name(parentIdx ?? 0)
  return name.startsWith('unknown') ? null : name
}
