// Requests for files in every state, with real bytes in the store: created, decided, canceled, allowed by the policy, and some
// that are undecided.
import { Readable } from 'node:stream'
import { Decision, Transfer } from '@acc/contract/labels/requests'
import { later, minutes } from '../src/clock.ts'
import { findFiles } from '../src/domains/requests/requestFiles.queries.ts'
import { downloadLog } from '../src/domains/requests/requests.history.ts'
import { cancelRequest, createRequest } from '../src/domains/requests/requests.own.ts'
import { findForUpdate } from '../src/domains/requests/requests.queries.ts'
import { decideRequest } from '../src/domains/requests/requests.service.ts'
import { receiveFile } from '../src/domains/requests/requests.uploads.ts'
import { APPROVERS } from './authorities.ts'
import type { Client } from './clients.ts'
import { type Calendar, DAYS } from './days.ts'
import { type DemoFile, drawFiles, sha256 } from './files.ts'
import { contextOf, type DemoActor, log, type Moment, type Step } from './past.ts'
import type { People, Person } from './people.ts'
import type { Random } from './random.ts'

export const PURPOSES = {
  ko: [
    '고객사 검토 회의 자료로 사용합니다.',
    '협력사에 전달할 최신 자료입니다.',
    '현장 설비에 반영하기 위해 필요합니다.',
    '월간 보고에 첨부합니다.\n개인정보는 포함되어 있지 않습니다.',
    '외부 시험 기관에 제출합니다.',
  ],
  en: [
    'For the review with the customer on Thursday.',
    'The supplier needs the current version.',
    'To be loaded onto the test bench, which is offline.',
    'Attachment for the monthly report.\nNo personal data inside.',
  ],
} as const
const REASONS = {
  approve: { ko: ['확인했습니다.', '승인합니다.', ''], en: ['Looks fine.', 'Approved.', ''] },
  reject: {
    ko: ['단가 정보가 포함되어 있어 반려합니다. 해당 열을 지우고 다시 요청하세요.', '반출 사유가 부족합니다.'],
    en: ['Please remove the price column and ask again.', 'The purpose is not clear enough.'],
  },
} as const

/** Draws the reason of a decision in the language of the requester. */
export const drawReason = (random: Random, { group }: Person, isApproved: boolean): string =>
  random.pick(REASONS[isApproved ? 'approve' : 'reject'][group.language])

/** Undecided requests, by their age in minutes. The last one is still being uploaded. */
const WAITING = [2_920, 1_710, 1_480, 1_240, 430, 265, 150, 95, 40, 12] as const
/** Until this day everything is decided. */
const DECIDED_DAYS = DAYS - 3

/** Imports that wait, by their age in minutes. */
const WAITING_IMPORTS = [1_905, 322, 34] as const

/** Requests of today that are decided, by their age in minutes. */
const DECIDED_TODAY = [388, 301, 224, 133] as const

/** An export, unless it has another type. */
type RequestPlan = { person: Person; at: Date; purpose: string; files: DemoFile[]; type?: Transfer }
type CreatedRequest = { idx: number; fileIdxes: number[] }

function drawRequest(random: Random, person: Person, at: Date): RequestPlan {
  const { language } = person.group
  return { person, at, purpose: random.pick(PURPOSES[language]), files: drawFiles(random, language) }
}

async function ask(moment: Moment, { purpose, files, type = Transfer.EXPORT }: RequestPlan): Promise<CreatedRequest> {
  const newFiles = files.map(({ name, bytes }) => ({ name, size: bytes.length, sha256: sha256(bytes) }))
  const request = await createRequest(contextOf(moment), { type, purpose, files: newFiles })
  return { idx: request.idx, fileIdxes: request.files.map(({ idx }) => idx) }
}

/** Uploads the files; with a share below 1 only the beginning of each. */
async function send(moment: Moment, { files }: RequestPlan, created: CreatedRequest, share = 1): Promise<void> {
  for (const [at, { bytes }] of files.entries()) {
    const body = Readable.from([bytes.subarray(0, Math.floor(bytes.length * share))])
    const target = { fileEximport: created.idx, file: created.fileIdxes[at] ?? 0, offset: 0 }
    await receiveFile({ ...contextOf(moment), body }, target)
  }
}

/** Downloads the files, by an approver for review or by the requester after approval. */
async function take(moment: Moment, { idx }: CreatedRequest): Promise<void> {
  const request = await findForUpdate(moment.tx, idx)
  if (request) await log(moment, [downloadLog(request, await findFiles(moment.tx, [idx]))])
}

/** Milliseconds between a request and its bytes; in minutes, for those of today. */
const UPLOAD = 40_000
const UPLOAD_MINUTES = UPLOAD / minutes(1)

/** A request and the bytes that follow it, as steps; what comes later learns its number from `created`. */
function begin(
  plan: RequestPlan,
  sentAt = later(plan.at, UPLOAD),
  share?: number,
): { steps: Step[]; created: CreatedRequest } {
  const created: CreatedRequest = { idx: 0, fileIdxes: [] }
  const steps: Step[] = [
    { at: plan.at, by: plan.person, run: async (moment) => Object.assign(created, await ask(moment, plan)) },
    { at: sentAt, by: plan.person, run: (moment) => send(moment, plan, created, share) },
  ]
  return { steps, created }
}

type End = 'approved' | 'rejected' | 'canceled'
/** What becomes of requests, in turn, so that every end is there whatever the calendar. */
const ENDS: readonly End[] = [
  'approved',
  'approved',
  'rejected',
  'approved',
  'approved',
  'canceled',
  'approved',
  'approved',
  'approved',
]

function decision(
  random: Random,
  { person, at }: RequestPlan,
  created: CreatedRequest,
  approver: DemoActor,
  isApproved: boolean,
): Step[] {
  const decidedAt = later(at, minutes(random.int(12, 320)))
  const state = isApproved ? Decision.APPROVE : Decision.REJECT
  const purpose = drawReason(random, person, isApproved)
  const look: Step = { at: later(decidedAt, -minutes(3)), by: approver, run: (moment) => take(moment, created) }
  const fetch: Step = { at: later(decidedAt, minutes(6)), by: person, run: (moment) => take(moment, created) }
  return [
    ...(random.chance(0.5) ? [look] : []),
    {
      at: decidedAt,
      by: approver,
      run: (moment) => decideRequest(contextOf(moment), { idx: created.idx, state, purpose }),
    },
    ...(isApproved && random.chance(0.6) ? [fetch] : []),
  ]
}

type Cast = { random: Random; calendar: Calendar; people: People; clients: readonly Client[] }

/** Returns the approver of a person's requests; undefined if the policy allows them without approval. */
export const approverOf = (people: People, person: Person): Person | undefined => {
  const place = APPROVERS[person.group.top]
  return place && people.at(place[0], place[1])
}

/** Concludes a request: canceled by the requester, decided, or allowed by the policy. */
function outcome({ random, people }: Cast, plan: RequestPlan, created: CreatedRequest, end: End): Step[] {
  const { person, at } = plan
  const approver = approverOf(people, person)
  if (approver === undefined) return []
  if (end !== 'canceled') return decision(random, plan, created, approver, end === 'approved')
  return [
    { at: later(at, minutes(9)), by: person, run: (moment) => cancelRequest(contextOf(moment), { idx: created.idx }) },
  ]
}

/** Workdays between two requests of a person. */
const EVERY = 4
/** One of so many requests is an import. */
const IMPORT_EVERY = 4

function pastSteps(cast: Cast): Step[] {
  const { random, calendar, people, clients } = cast
  const plan = clients.flatMap(({ person, from, to }, offset) => {
    const own = Array.from({ length: Math.min(to, DECIDED_DAYS) - from }, (_, index) => from + index)
    const asking = own.filter(calendar.isWorkday).filter((_, index) => index % EVERY === offset % EVERY)
    const moments = asking.map((day) => calendar.at(day, random.int(9, 16), random.int(0, 59), random.int(0, 59)))
    return moments.map((at) => drawRequest(random, person, at))
  })
  const typeOf = (person: Person, index: number) =>
    index % IMPORT_EVERY === 1 && approverOf(people, person) !== undefined ? Transfer.IMPORT : Transfer.EXPORT
  return plan.flatMap((drawn, index) => {
    const one = { ...drawn, type: typeOf(drawn.person, index) }
    const { steps, created } = begin(one)
    return [...steps, ...outcome(cast, one, created, ENDS[index % ENDS.length] ?? 'approved')]
  })
}

function waitingSteps({ random, calendar, people, clients }: Cast): Step[] {
  const today = clients.filter(({ person, to }) => to > DAYS && approverOf(people, person) !== undefined)
  return WAITING.flatMap((ago, index) => {
    const { person } = today[index % today.length] ?? random.pick(today)
    const plan = drawRequest(random, person, calendar.ago(ago))
    return begin(plan, calendar.ago(ago - UPLOAD_MINUTES), index === WAITING.length - 1 ? 0.4 : 1).steps
  })
}

function waitingImportSteps({ random, calendar, people, clients }: Cast): Step[] {
  const today = clients.filter(({ person, to }) => to > DAYS && approverOf(people, person) !== undefined)
  return WAITING_IMPORTS.flatMap((ago, index) => {
    const { person } = today[(index + 4) % today.length] ?? random.pick(today)
    const plan = { ...drawRequest(random, person, calendar.ago(ago)), type: Transfer.IMPORT }
    return begin(plan, calendar.ago(ago - UPLOAD_MINUTES)).steps
  })
}

/** Exports of today that were reviewed and decided within the hour. */
function todaySteps({ random, calendar: { ago }, people, clients }: Cast): Step[] {
  const using = clients.filter(({ to }) => to > DAYS)
  return DECIDED_TODAY.flatMap((count, index): Step[] => {
    const { person } = using[index % using.length] ?? random.pick(using)
    const by = approverOf(people, person)
    const plan = drawRequest(random, person, ago(count))
    const { steps, created } = begin(plan, ago(count - UPLOAD_MINUTES))
    if (by === undefined) return steps
    const isApproved = index !== 1
    const verdict = {
      state: isApproved ? Decision.APPROVE : Decision.REJECT,
      purpose: drawReason(random, person, isApproved),
    }
    const decide = (moment: Moment) => decideRequest(contextOf(moment), { idx: created.idx, ...verdict })
    const look = (moment: Moment) => take(moment, created)
    return [
      ...steps,
      { at: ago(count - 22), by, run: look },
      { at: ago(count - 27), by, run: decide },
      ...(isApproved ? [{ at: ago(count - 35), by: person, run: look }] : []),
    ]
  })
}

export const requestSteps = (cast: Cast): Step[] => [
  ...pastSteps(cast),
  ...waitingSteps(cast),
  ...waitingImportSteps(cast),
  ...todaySteps(cast),
]
