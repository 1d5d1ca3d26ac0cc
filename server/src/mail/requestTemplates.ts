// The mails about file requests. They name number, person and size of requests, never purposes or file names.

import type { Label } from '@acc/contract/labels/enumOf'
import { formatBytes } from '@acc/contract/labels/formats'
import { OVERDUE_LABEL, RequestBlock, RequestEvent, RequestState, Transfer } from '@acc/contract/labels/requests'
import type { Deciders } from '@acc/contract/requestSteps'
import { type Block, type MailText, momentText } from './blocks.ts'

/** A request in the mail to an approver. */
type WaitingLine = {
  idx: number
  type: Transfer
  requesterName: string
  requesterGroupName: string
  fileCount: number
  fileSize: number
  isOverdue: boolean
  /** Why the request can only be rejected. */
  block: RequestBlock | null
  /** When it is canceled without a decision; null for never. */
  expiryDT: Date | null
  /** The step that it waits for, of how many. */
  step: number
  steps: number
}
/** A request in the mail to its requester. */
export type SettledLine = { idx: number; type: Transfer } & (
  | { event: 'approved' | 'rejected' | 'confirmed' | 'objected'; approverName: string; reason: string }
  | { event: 'toReview'; until: Date; deciders: Deciders }
  | { event: 'waits'; step: number; stepCount: number; deciders: Deciders }
  | { event: 'canceled' | 'expired' }
  | { event: 'expires' | 'expiresUndecided' | 'filesExpire'; when: Date }
)

export type RequestMails = {
  /** `count` requests wait for the approver, `overdue` of them longer than `overdueHours`; the first ones as lines. */
  requestsWaiting: {
    name: string
    count: number
    overdue: number
    overdueHours: number
    requests: readonly WaitingLine[]
  }
  /** The outcome of `count` requests of a person, the first ones as lines. */
  requestsSettled: { name: string; count: number; requests: readonly SettledLine[] }
}

type Site = { url: string }
type Language = 'ko' | 'en'

/** The place of a record in the console: a word of the console and a number. */
const recordUrl = ({ url }: Site, { type, idx }: { type: Transfer; idx: number }) =>
  `${url}/?go=${type === Transfer.IMPORT ? 'imports' : 'approvals'}/${idx}`

/** Prevents people's text from looking like a line of the mail. */
const oneLine = (text: string) => text.replace(/\p{Cc}+/gu, ' ')
const counted = (count: number) => (count === 1 ? '1 request' : `${count} requests`)
const files = (count: number) => (count === 1 ? '1 file' : `${count} files`)

const numberOf = ({ type, idx }: { type: Transfer; idx: number }, language: Language) =>
  `#${idx} ${Transfer.labels[type][language]}`

/** A label within a line: English in lower case. */
const wordsOf = (label: Label, language: Language) => (language === 'en' ? label.en.toLowerCase() : label.ko)

function waitingText(line: WaitingLine, language: Language): string {
  const { requesterName, requesterGroupName, fileCount, fileSize, isOverdue, block, expiryDT } = line
  const size = formatBytes(fileSize)
  const marks = [...(isOverdue ? [OVERDUE_LABEL] : []), ...(block === null ? [] : [RequestBlock.labels[block]])]
  const count = language === 'ko' ? `파일 ${fileCount}개` : files(fileCount)
  const at = line.steps > 1 ? [stepOf(line.step, line.steps, language)] : []
  const expiry = expiryDT === null ? [] : [expiryText(expiryDT, language)]
  const parts = [count, size, ...at, ...marks.map((label) => wordsOf(label, language)), ...expiry]
  return oneLine([numberOf(line, language), `${requesterName} (${requesterGroupName})`, ...parts].join(' · '))
}

const expiryText = (when: Date, language: Language) =>
  language === 'ko' ? `${momentText(when)} 만료` : `expires ${momentText(when)}`

/** The step of a request in words, within a line. */
const stepOf = (step: number, steps: number, language: Language) =>
  language === 'ko' ? `승인 ${step}/${steps}단계` : `step ${step} of ${steps}`

const more = (rest: number, language: Language): string[] => {
  if (rest <= 0) return []
  return [language === 'ko' ? `그 밖에 ${rest}건이 더 있습니다.` : `And ${rest} more.`]
}

/** The states in the words of the console, and announced events. */
const EVENTS: Record<SettledLine['event'], Label> = {
  approved: RequestState.labels[RequestState.APPROVED],
  rejected: RequestState.labels[RequestState.REJECTED],
  confirmed: RequestEvent.labels[RequestEvent.CONFIRMED],
  objected: { ko: '긴급 반출 이의 제기', en: 'Urgent export objected to' },
  toReview: { ko: '긴급 반출', en: 'Urgent export' },
  waits: { ko: '다음 승인 단계', en: 'Next approval step' },
  canceled: { ko: '자동 취소', en: 'Automatically canceled' },
  expired: { ko: '기한 만료', en: 'Expired' },
  expires: { ko: '취소 예정', en: 'To be canceled' },
  expiresUndecided: { ko: '만료 예정', en: 'Expires soon' },
  filesExpire: { ko: '파일 삭제 예정', en: 'Files to be removed' },
}
const WHY = {
  canceled: {
    ko: '파일 업로드가 끝나지 않아 취소되었습니다.',
    en: 'Its files were not uploaded completely.',
  },
  expired: {
    ko: '기한 안에 처리되지 않아 취소되었습니다. 필요하면 다시 요청해 주세요.',
    en: 'Nobody decided it in time, so it was canceled. Request it again if you still need it.',
  },
  expires: (when: Date) => ({
    ko: `${momentText(when)}까지 파일 업로드를 마치지 않으면 취소됩니다.`,
    en: `Upload its files by ${momentText(when)}, or it will be canceled.`,
  }),
  expiresUndecided: (when: Date) => ({
    ko: `${momentText(when)}까지 처리되지 않으면 취소됩니다. 승인자에게 처리를 요청해 주세요.`,
    en: `It will be canceled unless it is decided by ${momentText(when)}. Ask your approver.`,
  }),
  filesExpire: (when: Date) => ({
    ko: `${momentText(when)}에 파일이 삭제됩니다. 필요하면 그 전에 다운로드해 주세요.`,
    en: `Its files will be removed at ${momentText(when)}. Download them before then if you need them.`,
  }),
}

/** Until when an urgent export is reviewed, and the people who can do it. */
function toReviewText({ until, deciders }: SettledLine & { event: 'toReview' }, language: Language): string {
  const by = momentText(until)
  return peopleText(language === 'ko' ? `검토 기한: ${by}` : `To be reviewed by ${by}`, deciders, language)
}

/** Who can decide a request that reached its next step. */
const waitsText = ({ step, stepCount, deciders }: SettledLine & { event: 'waits' }, language: Language) =>
  peopleText(stepOf(step, stepCount, language), deciders, language)

function peopleText(at: string, { count, people }: Deciders, language: Language): string {
  if (count === 0)
    return language === 'ko' ? `${at} · 지금 결정할 수 있는 사람이 없습니다.` : `${at} · Nobody can decide it now.`
  const names = people.map(({ name }) => name).join(', ')
  const rest = count - people.length
  if (language === 'ko') return `${at} · 결정할 수 있는 사람: ${names}${rest > 0 ? ` 외 ${rest}명` : ''}`
  return `${at} · Can be decided by: ${names}${rest > 0 ? ` and ${rest} more` : ''}`
}

function settledRow(line: SettledLine, language: Language): [string, string] {
  const name = `${numberOf(line, language)} · ${wordsOf(EVENTS[line.event], language)}`
  if (line.event === 'waits') return [name, oneLine(waitsText(line, language))]
  if (line.event === 'toReview') return [name, oneLine(toReviewText(line, language))]
  if ('when' in line) return [name, WHY[line.event](line.when)[language]]
  if (!('reason' in line)) return [name, WHY[line.event][language]]
  const { approverName, reason } = line
  return [name, oneLine(reason === '' ? approverName : `${approverName} - ${reason}`)]
}

export const REQUEST_TEMPLATES: {
  [T in keyof RequestMails]: (params: RequestMails[T], site: Site) => MailText
} = {
  requestsWaiting: ({ name, count, overdue, overdueHours, requests }, site) => {
    const links = (language: Language): Block => ({
      links: requests.map((line) => ({ text: waitingText(line, language), url: recordUrl(site, line) })),
    })
    const rest = count - requests.length
    return {
      ko: {
        subject: `승인 대기 요청 ${count}건`,
        blocks: [
          `${name}님, 승인을 기다리는 요청이 ${count}건 있습니다.`,
          ...(overdue > 0 ? [`이 중 ${overdue}건은 ${overdueHours}시간 넘게 기다리고 있습니다.`] : []),
          links('ko'),
          ...more(rest, 'ko'),
          '알림 주기는 관리 화면 왼쪽 아래의 승인 알림에서 변경할 수 있습니다.',
        ],
      },
      en: {
        subject: `${counted(count)} to decide`,
        blocks: [
          `Hello ${name}, ${counted(count)} ${count === 1 ? 'waits' : 'wait'} for your decision.`,
          ...(overdue > 0 ? [`Waiting for more than ${overdueHours} hours: ${counted(overdue)}.`] : []),
          links('en'),
          ...more(rest, 'en'),
          'Choose how often you receive this email under Approval notifications, at the bottom left of the console.',
        ],
      },
    }
  },
  requestsSettled: ({ name, count, requests }, { url }) => {
    const rest = count - requests.length
    return {
      ko: {
        subject: `파일 요청 처리 알림 ${count}건`,
        blocks: [
          `${name}님, 파일 요청의 진행 상황을 알려 드립니다.`,
          requests.map((line) => settledRow(line, 'ko')),
          ...more(rest, 'ko'),
          '승인된 파일은 클라이언트에서 다운로드할 수 있습니다.',
          { links: [{ text: '포털 열기', url: `${url}/` }] },
        ],
      },
      en: {
        subject: count === 1 ? 'Update on your file request' : `Updates on ${count} file requests`,
        blocks: [
          `Hello ${name}, here is the latest on your file requests.`,
          requests.map((line) => settledRow(line, 'en')),
          ...more(rest, 'en'),
          'Download approved files with the client.',
          { links: [{ text: 'Open the portal', url: `${url}/` }] },
        ],
      },
    }
  },
}
