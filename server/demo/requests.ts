// Requests for files in every state, with real bytes in the store: decided, canceled, allowed by the policy, and
// undecided.
import { Readable } from 'node:stream'
import { Decision, Transfer } from '@acc/contract/labels/requests'
import { later, minutes } from '../src/clock.ts'
import { insertHistory } from '../src/core/change.ts'
import { findFiles } from '../src/domains/requests/requestFiles.queries.ts'
import { downloadLog } from '../src/domains/requests/requests.history.ts'
import { cancelRequest, createRequest } from '../src/domains/requests/requests.own.ts'
import { findForUpdate } from '../src/domains/requests/requests.queries.ts'
import { decideRequest } from '../src/domains/requests/requests.service.ts'
import { receiveFile } from '../src/domains/requests/requests.uploads.ts'
import { approverOf } from './authorities.ts'
import { clientsOfToday } from './clients.ts'
import { type DemoFile, drawFiles, sha256 } from './files.ts'
import type { Cast, Past } from './past.ts'
import type { Person } from './people.ts'

const TEXTS = {
  ko: {
    purpose: ['고객사 검토 회의 자료로 사용합니다.', '월간 보고에 첨부합니다.\n개인정보는 포함되어 있지 않습니다.'],
    urgent: '오늘 설치하는 고객사 장비의 설정 파일입니다. 승인을 기다리면 작업이 중단됩니다.',
    approved: '확인했습니다.',
    rejected: '단가 정보가 포함되어 있어 반려합니다. 해당 열을 지우고 다시 요청하세요.',
  },
  en: {
    purpose: ['For the review with the customer on Thursday.', 'To be loaded onto the test bench, which is offline.'],
    urgent: 'The settings of a device that is installed today. The work stops without them.',
    approved: 'Looks fine.',
    rejected: 'Please remove the price column and ask again.',
  },
}

/** Undecided requests by their age in minutes, one of which is still being uploaded, and those decided today. */
const UPLOADING = 12
const WAITING = [2_920, 1_710, 1_480, 1_240, 430, 265, 150, 95, 40, UPLOADING]
const WAITING_IMPORTS = [1_905, 322, 34]
const DECIDED_TODAY = [388, 301, 224, 133]
/** Requesters of requests that wait at step 2, and their age. Nobody can decide the second one. */
const WAITING_AT_STEP_2 = [
  ['백엔드팀/0', 75],
  ['기구설계팀/1', 35],
] as const

/** The requester and the age of an urgent export to review, in minutes. */
const URGENT = ['백엔드팀/1', 25] as const

type End = 'approved' | 'rejected' | 'canceled' | 'waiting'
/** The ends of requests by their number. */
const endOf = (number: number): End => (number % 7 === 2 ? 'rejected' : number % 7 === 5 ? 'canceled' : 'approved')

type Created = { idx: number; fileIdxes: number[] }
/** The end of a request, so many minutes after its creation. */
type Course = { type: Transfer; end: End; after: (count: number) => Date; isUrgent?: true }

/** Uploads the files; with a share below 1 only the beginning of each. */
async function upload(past: Past, files: readonly DemoFile[], { idx, fileIdxes }: Created, share: number) {
  for (const [at, { bytes }] of files.entries()) {
    const body = Readable.from([bytes.subarray(0, Math.floor(bytes.length * share))])
    await receiveFile({ ...past, body }, { fileEximport: idx, file: fileIdxes[at] ?? 0, offset: 0 })
  }
}

/** Downloads the files: an approver for review, or the requester after approval. */
async function download({ tx, at, by }: Past, { idx }: Created): Promise<void> {
  const request = await findForUpdate(tx, idx)
  if (request) await insertHistory(tx, by, at, [downloadLog(request, await findFiles(tx, [idx]))])
}

/** Adds a request from its creation to its end. If the policy needs no approval, it ends with its upload. */
function addRequest({ on, random, people }: Cast, person: Person, course: Course, share = 1): Created {
  const { type, end, after, isUrgent } = course
  const texts = TEXTS[person.group.language]
  const files = drawFiles(random, person.group.language)
  const newFiles = files.map(({ name, bytes }) => ({ name, size: bytes.length, sha256: sha256(bytes) }))
  const urgentReason = isUrgent && texts.urgent
  const newRequest = { type, purpose: random.pick(texts.purpose), urgentReason, files: newFiles }
  const created: Created = { idx: 0, fileIdxes: [] }
  on(after(0), person, async (past) => {
    const request = await createRequest(past, newRequest)
    Object.assign(created, { idx: request.idx, fileIdxes: request.files.map(({ idx }) => idx) })
  })
  on(after(0.7), person, (past) => upload(past, files, created, share))
  const approver = approverOf(people, person)
  if (approver === undefined) return created
  if (end === 'canceled') on(after(9), person, (past) => cancelRequest(past, { idx: created.idx }))
  if (end === 'canceled' || end === 'waiting') return created
  const wait = random.int(12, 90)
  const state = end === 'approved' ? Decision.APPROVE : Decision.REJECT
  if (random.chance(0.5)) on(after(wait - 3), approver, (past) => download(past, created))
  on(after(wait), approver, (past) => decideRequest(past, { idx: created.idx, state, purpose: texts[end] }))
  if (end === 'approved' && random.chance(0.6)) on(after(wait + 6), person, (past) => download(past, created))
  return created
}

/** Adds the requests at step 2. One person approved step 1 of both: of the second one for an absent approver. */
function addStepped(cast: Cast): void {
  const { on, ago, people } = cast
  for (const [place, age] of WAITING_AT_STEP_2) {
    const after = (count: number) => ago(age - count)
    const request = addRequest(cast, people.at(place), { type: Transfer.EXPORT, end: 'waiting', after })
    const approval = { state: Decision.APPROVE, purpose: TEXTS.ko.approved }
    on(after(12), people.at('연구개발본부/0'), (past) => decideRequest(past, { ...approval, idx: request.idx }))
  }
}

/** Adds an urgent export that its requester has downloaded and nobody has reviewed. */
function addUrgent(cast: Cast): void {
  const [place, age] = URGENT
  const person = cast.people.at(place)
  const after = (count: number) => cast.ago(age - count)
  const request = addRequest(cast, person, { type: Transfer.EXPORT, end: 'waiting', after, isUrgent: true })
  cast.on(after(2), person, (past) => download(past, request))
}

/** Workdays between two requests of a person, and how many requests have one import. */
const [EVERY, IMPORT_EVERY] = [2, 4]

function addDecided(cast: Cast): void {
  const { random, at, people, clients, daysFrom, isWorkday } = cast
  const requests = clients.flatMap(({ person, from, to }, offset) => {
    const days = daysFrom(from)
      .slice(0, -2)
      .filter((day) => day < to && isWorkday(day))
    return days.filter((day) => day % EVERY !== offset % EVERY).map((day) => ({ person, day }))
  })
  for (const [number, { person, day }] of requests.entries()) {
    const start = at(day, random.int(9, 16), random.int(0, 59), random.int(0, 59))
    const isImport = number % IMPORT_EVERY === 1 && approverOf(people, person) !== undefined
    const after = (count: number) => later(start, minutes(count))
    addRequest(cast, person, { type: isImport ? Transfer.IMPORT : Transfer.EXPORT, end: endOf(number), after })
  }
}

export function addRequestSteps(cast: Cast): void {
  addDecided(cast)
  const requesters = clientsOfToday(cast).filter(({ person }) => approverOf(cast.people, person) !== undefined)
  const add = (index: number, type: Transfer, end: End, age: number) => {
    const person = requesters[index % requesters.length]?.person ?? cast.people.at('백엔드팀/0')
    addRequest(cast, person, { type, end, after: (count) => cast.ago(age - count) }, age === UPLOADING ? 0.4 : 1)
  }
  for (const [index, age] of WAITING.entries()) add(index, Transfer.EXPORT, 'waiting', age)
  for (const [index, age] of WAITING_IMPORTS.entries()) add(index + 4, Transfer.IMPORT, 'waiting', age)
  for (const [index, age] of DECIDED_TODAY.entries())
    add(index, Transfer.EXPORT, index === 1 ? 'rejected' : 'approved', age)
  addStepped(cast)
  addUrgent(cast)
}
