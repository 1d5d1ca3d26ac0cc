// The months before the sixty days: requests that were decided long ago, with small files, and sign-ins of their requesters.
// Thousands of rows, so that they are inserted in bulk, in the order of their time, and not by the product's services.
import { RequestEvent, RequestState, Transfer } from '@acc/contract/labels/requests'
import { later, minutes } from '../src/clock.ts'
import { historyRow, insertHistoryRows } from '../src/core/change.ts'
import type { Services } from '../src/core/services.ts'
import type { Tx } from '../src/db/open.ts'
import { type FileRow, findFiles, insertFiles } from '../src/domains/requests/requestFiles.queries.ts'
import { ownerOf, storedOf } from '../src/domains/requests/requests.files.ts'
import { requestLog } from '../src/domains/requests/requests.history.ts'
import type { RequestRow } from '../src/domains/requests/requests.queries.ts'
import type { Calendar } from './days.ts'
import { drawSmallFile } from './files.ts'
import type { DemoActor, Step } from './past.ts'
import type { People, Person } from './people.ts'
import type { Random } from './random.ts'
import { approverOf, drawReason, PURPOSES } from './requests.ts'
import { clientDay, insertVisits, type Visit } from './signIns.ts'

type Cast = { random: Random; calendar: Calendar; people: People }

/** Share of a usual month, January first: holidays and the end of the year show. */
const SEASON = [0.95, 0.75, 1.05, 1, 0.9, 1.1, 0.95, 0.7, 0.85, 1, 1.1, 1.15] as const
/** Exports and imports of a usual workday once everybody has been introduced. */
const [EXPORTS_A_DAY, IMPORTS_A_DAY] = [2.2, 0.7]
/** Share of that in the first month. */
const BEGINNING = 0.55
/** Days between the founding and the first requests. */
const START = 7

const REQUESTERS = 48
/** What becomes of requests, in turn. */
const ENDS = [1, 1, 2, 1, 1, 3, 1, 1, 1, 1, 2, 1] as const satisfies readonly RequestState[]

type EarlierRequest = {
  person: Person
  approver: DemoActor | undefined
  type: Transfer
  at: Date
  state: RequestState
  decidedAt: Date
}

function planRequests({ random, calendar, people }: Cast, pool: readonly Person[]): EarlierRequest[] {
  const first = calendar.firstDay + START
  const workdays = Array.from({ length: -first }, (_, at) => first + at).filter(calendar.isWorkday)
  const directed = pool.filter((person) => approverOf(people, person) !== undefined)
  let turn = 0
  const draw = (type: Transfer, day: number): EarlierRequest => {
    const person = random.pick(type === Transfer.IMPORT ? directed : pool)
    const approver = approverOf(people, person)
    const at = calendar.at(
      day,
      random.pick([9, 10, 10, 11, 11, 13, 14, 14, 15, 16]),
      random.int(0, 59),
      random.int(0, 59),
    )
    const state = approver === undefined ? RequestState.ALLOWED : (ENDS[turn++ % ENDS.length] ?? RequestState.APPROVED)
    return { person, approver, type, at, state, decidedAt: later(at, minutes(random.int(9, 200))) }
  }
  const countOf = (rate: number) => Math.floor(rate) + Number(random.chance(rate % 1))
  return workdays
    .flatMap((day, at) => {
      const share =
        (BEGINNING + ((1 - BEGINNING) * at) / workdays.length) * (SEASON[calendar.at(day, 0).getMonth()] ?? 1)
      // More before the weekend than after it, as deliveries are.
      const rhythm = share * (0.85 + 0.075 * (calendar.at(day, 0).getDay() - 1))
      return [
        ...Array.from({ length: countOf(EXPORTS_A_DAY * rhythm) }, () => draw(Transfer.EXPORT, day)),
        ...Array.from({ length: countOf(IMPORTS_A_DAY * rhythm) }, () => draw(Transfer.IMPORT, day)),
      ]
    })
    .sort((a, b) => a.at.getTime() - b.at.getTime())
}

async function insertRequests(tx: Tx, { random }: Cast, plans: readonly EarlierRequest[]) {
  const files = plans.map(({ person }) => drawSmallFile(random, person.group.language))
  const rows = await tx
    .insertInto('fileEximports')
    .values(
      plans.map(({ person, approver, type, at, state, decidedAt }, index) => ({
        type,
        state,
        requesterIdx: person.idx,
        requesterId: person.id,
        requesterName: person.name,
        requesterEmail: person.email,
        requesterGroupIdx: person.groupIdx,
        requesterGroupName: person.groupName,
        requestDT: at,
        approveDT: state === RequestState.ALLOWED ? at : decidedAt,
        requestPurpose: random.pick(PURPOSES[person.group.language]),
        isFileUploaded: 1 as const,
        fileCount: 1,
        fileSize: files[index]?.bytes.length ?? 0,
        ...(approver &&
          state !== RequestState.CANCELED && {
            approverIdx: approver.idx,
            approverId: approver.id,
            approverName: approver.name,
            approverGroupName: approver.groupName,
            approvePurpose: drawReason(random, person, state === RequestState.APPROVED),
          }),
      })),
    )
    .returningAll()
    .execute()
  return { rows, files }
}

/** Uploads at once. */
const AT_ONCE = 16

async function storeFiles(services: Services, tx: Tx, { rows, files }: Awaited<ReturnType<typeof insertRequests>>) {
  const stored = rows.flatMap(({ idx }, at) => {
    const file = files[at]
    if (file === undefined) return []
    const row = { fileEximportIdx: idx, position: 0, fileName: file.name }
    const { name, wrappedKey } = services.files.create(ownerOf(row), file.bytes.length, file.sha256)
    return [
      { ...row, fileSize: file.bytes.length, sha256: file.sha256, storeName: name, wrappedKey, isUploaded: 1 as const },
    ]
  })
  await insertFiles(tx, stored)
  const byRequest = Map.groupBy(
    await findFiles(
      tx,
      rows.map(({ idx }) => idx),
    ),
    ({ fileEximportIdx }) => fileEximportIdx,
  )
  const uploads = rows.flatMap(({ idx, state }, at) => {
    const [row] = byRequest.get(idx) ?? []
    const file = files[at]
    // The bytes of canceled requests are removed.
    return row && file && state !== RequestState.CANCELED ? [{ row, file }] : []
  })
  for (let from = 0; from < uploads.length; from += AT_ONCE)
    await Promise.all(
      uploads
        .slice(from, from + AT_ONCE)
        .map(({ row, file: { bytes } }) => services.files.append(storedOf(row), 0, chunksOf(bytes))),
    )
  return byRequest
}

async function* chunksOf(bytes: Buffer) {
  yield bytes
}

/** The steps of a request: created, uploaded, and decided or canceled. */
function entriesOf({ person, approver, at, state, decidedAt }: EarlierRequest, row: RequestRow, files: FileRow[]) {
  const undecided = { approverIdx: null, approverId: null, approverName: null, approverGroupName: null }
  const first = state === RequestState.ALLOWED ? state : RequestState.REQUESTED
  const created = { ...row, ...undecided, state: first, approvePurpose: null }
  const begun = [
    { at, by: person, entry: requestLog(first, null, created, files) },
    { at: later(at, 40_000), by: person, entry: requestLog(RequestEvent.UPLOADED, created, created, files) },
  ]
  if (state === RequestState.ALLOWED) return begun
  const by = state === RequestState.CANCELED ? person : approver
  return by ? [...begun, { at: decidedAt, by, entry: requestLog(state, created, row, files) }] : begun
}

/** Sign-ins of the people who had a PC then. */
function planVisits({ random, calendar }: Cast, pool: readonly Person[]): Visit[] {
  const first = calendar.firstDay + START
  return Array.from({ length: -first }, (_, at) => first + at)
    .flatMap((day) => {
      const present = random.some(pool, calendar.isWorkday(day) ? random.int(5, 8) : Number(random.chance(0.3)))
      return present.flatMap((person) => clientDay(random, calendar, person, day))
    })
    .sort((a, b) => a.at.getTime() - b.at.getTime())
}

/** Inserts everything in one step, before the first of the sixty days. */
export function earlierSteps(cast: Cast, admin: DemoActor): Step[] {
  const { random, calendar, people } = cast
  const run: Step['run'] = async ({ services, tx }) => {
    const comes = ({ isNew, isExpired, isBarred, hiredAt }: Person) =>
      !isNew && !isExpired && !isBarred && hiredAt < calendar.at(0, 0)
    const pool = random.some(people.all.filter(comes), REQUESTERS)
    const plans = planRequests(cast, pool)
    const inserted = await insertRequests(tx, cast, plans)
    const files = await storeFiles(services, tx, inserted)
    const entries = plans.flatMap((plan, at) => {
      const row = inserted.rows[at]
      return row ? entriesOf(plan, row, files.get(row.idx) ?? []) : []
    })
    const inOrder = entries.sort((a, b) => a.at.getTime() - b.at.getTime())
    await insertHistoryRows(
      tx,
      inOrder.map(({ at, by, entry }) => historyRow(by, at, entry)),
    )
    await insertVisits(tx, random, planVisits(cast, pool))
  }
  return [{ at: calendar.at(0, 0, 1), by: admin, run }]
}
