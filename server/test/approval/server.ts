// The organization of model.ts on a real server: each operation is a call.
import { createHash } from 'node:crypto'
import type { Api } from '@acc/contract'
import type { ApiError, Client } from '@acc/contract/core/client'
import { localDayOf } from '@acc/contract/labels/formats'
import { UserState } from '@acc/contract/labels/users'
import { days, later } from '../../src/clock.ts'
import { followAbsences } from '../../src/domains/absences/absences.jobs.ts'
import { runEnds } from '../../src/domains/ends/ends.jobs.ts'
import type { TestApp } from '../app.ts'
import { openDesktopClient } from '../desktopClients.ts'
import type { World } from './model.ts'
import type { Operation } from './operations.ts'
import { buildRows, choicesOf, levelsOf, midnight, pass, type Rows, readShown } from './rows.ts'

const BYTES = 'plan'
const FILE = { name: 'plan.txt', size: BYTES.length, sha256: createHash('sha256').update(BYTES).digest('hex') }

/** YYYY-MM-DD in UTC, some days from today. */
const dayAfter = (count: number): string => midnight(count).toISOString().slice(0, 10)

/** Calls of people in sessions that are opened when the model says that the former one has ended. */
function openSessions(test: TestApp, rows: Rows) {
  const opened = new Map<string, { session: number; calls: Promise<Client<Api>> }>()
  const open = (key: string, session: number, make: () => Promise<Client<Api>>) => {
    const known = opened.get(key)
    const calls = known?.session === session ? known.calls : make()
    opened.set(key, { session, calls })
    return calls
  }
  return {
    web: (by: string, session: number) => open(`web ${by}`, session, async () => test.as({ idx: rows.people.idx(by) })),
    pc: (by: string, session: number) =>
      open(`pc ${by}`, session, () => openDesktopClient(test, { idx: rows.people.idx(by) })),
    forget: () => opened.clear(),
  }
}

type Calls = { [Name in Operation['do']]: (operation: Extract<Operation, { do: Name }>) => Promise<unknown> }

function callsOfPeople({ people, requests, absences }: Rows, { web, pc }: ReturnType<typeof openSessions>) {
  const files = new Map<string, number>()
  const place = (id: string) => ({ fileEximport: requests.idx(id), file: files.get(id) ?? 0 })
  return {
    create: async ({ by, session, id, type }) => {
      const created = await (await pc(by, session)).requests.create({ type, purpose: 'test', files: [FILE] })
      requests.add(id, created.idx)
      files.set(id, created.files[0]?.idx ?? 0)
    },
    upload: async ({ by, session, id }) => {
      const calls = await pc(by, session)
      const send = (offset: number) => calls.requests.upload({ ...place(id), offset }, BYTES.slice(offset))
      // The bytes of a sender whose session ended are kept.
      await send(0).catch((error: ApiError) => {
        if (error.error !== 'UPLOAD_OFFSET') throw error
        return send((error.data as { received: number }).received)
      })
    },
    download: async ({ by, session, id }) => (await (await pc(by, session)).requests.downloadOwn(place(id))).text(),
    cancel: async ({ by, session, id }) => (await pc(by, session)).requests.cancel({ idx: requests.idx(id) }),
    decide: async ({ by, session, id, decision, step }) =>
      (await web(by, session)).requests.decide({ idx: requests.idx(id), state: decision, step }),
    leave: async ({ by, session, id, person, substitute, begin, length }) => {
      const period = { startDay: dayAfter(begin), endDay: dayAfter(begin + length - 1), reason: 'leave' }
      const who = { userIdx: people.idx(person), substituteIdx: people.idx(substitute) }
      absences.add(id, (await (await web(by, session)).absences.create({ ...who, ...period })).idx)
    },
    return: async ({ by, session, id }) => (await web(by, session)).absences.end({ idx: absences.idx(id) }),
  } satisfies Partial<Calls>
}

function callsOfOperator(test: TestApp, rows: Rows) {
  const { people, groups, authorities, policies } = rows
  const operator = test.as(test.admin)
  return {
    steps: ({ group, steps }) =>
      operator.policies.update({ idx: policies.idx(group), approvalSteps: choicesOf(steps, authorities.idx) }),
    exports: ({ group, rule }) => operator.policies.update({ idx: policies.idx(group), fileExport: rule }),
    members: ({ authority, members, ends }) =>
      operator.authorities.setMembers({
        idx: authorities.idx(authority),
        userIdxes: people.idxes(members),
        ends: Object.entries(ends).map(([name, count]) => ({
          userIdx: people.idx(name),
          endDT: midnight(count + 1).toISOString(),
        })),
      }),
    authority: ({ authority: name, levels, groups: over }) =>
      operator.authorities.update({
        idx: authorities.idx(name),
        name: `${rows.top} ${name}`,
        ...levelsOf(levels),
        groupIdxes: groups.idxes(over),
      }),
    removeAuthority: ({ authority }) => operator.authorities.remove({ idx: authorities.idx(authority) }),
    removeGroup: ({ group }) => operator.groups.remove({ idx: groups.idx(group) }),
    move: ({ person, group }) => operator.users.move({ idxes: [people.idx(person)], groupIdx: groups.idx(group) }),
    suspend: ({ person }) => operator.users.setDisabled({ idx: people.idx(person), state: UserState.DISABLED }),
    release: ({ person }) => operator.users.setDisabled({ idx: people.idx(person), state: UserState.NORMAL }),
    remove: ({ person }) => operator.users.remove({ idxes: [people.idx(person)] }),
    expire: ({ person, days: count }) =>
      operator.users.setExpiry({
        idxes: [people.idx(person)],
        isMortal: count === null ? 0 : 1,
        expireDT: count === null ? null : localDayOf(later(new Date(), days(count))),
      }),
    jobs: async () => {
      await followAbsences(test.app)
      await runEnds(test.app)
    },
    pass: ({ days: count }) => pass(test.app.db, count),
  } satisfies Partial<Calls>
}

export type Server = Awaited<ReturnType<typeof openWorld>>
/** Builds a world on the server. `admins`: the people of its administrators. */
export async function openWorld(test: TestApp, w: World, admins: Record<string, number>) {
  const rows = await buildRows(test.app.db, w, admins)
  const sessions = openSessions(test, rows)
  const calls: Calls = { ...callsOfPeople(rows, sessions), ...callsOfOperator(test, rows) }
  return {
    rows,
    as: sessions.web,
    /** Returns the name of the error, or `ok`. */
    run(operation: Operation): Promise<string> {
      const call = calls[operation.do] as (operation: Operation) => Promise<unknown>
      return call(operation).then(
        () => 'ok',
        (error: ApiError) => {
          if (error.error === undefined) throw error
          return error.error
        },
      )
    },
    read: (day: number) => readShown(test.app.db, rows, day),
    forgetSessions: sessions.forget,
  }
}
