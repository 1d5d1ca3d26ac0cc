// The mails about urgent exports. Their reasons are in them, since the receivers decide about these.
import { formatBytes } from '@acc/contract/labels/formats'
import { type Block, type MailText, momentText, rows } from './blocks.ts'

type UrgentRequest = {
  idx: number
  requesterName: string
  requesterGroupName: string
  fileCount: number
  fileSize: number
  urgentReason: string | null
  reviewDueDT: Date | null
}
type ReviewedRequest = UrgentRequest & { approverName: string | null; approvePurpose: string | null }

export type UrgentMails = {
  /** To everybody who can review an urgent export. */
  urgentExport: { name: string; request: UrgentRequest }
  /** To system administrators: an approver objected, and the files are closed. */
  urgentObjected: { name: string; request: ReviewedRequest }
}

type Site = { url: string }

/** Prevents people's text from looking like a line of the mail. */
const oneLine = (text: string | null) => (text ?? '').replace(/\p{Cc}+/gu, ' ')
const link = ({ url }: Site, { idx }: UrgentRequest, text: string): Block => ({
  links: [{ text, url: `${url}/?go=approvals/${idx}` }],
})
const files = ({ fileCount }: UrgentRequest) => (fileCount === 1 ? '1 file' : `${fileCount} files`)
const requester = (one: UrgentRequest) => oneLine(`${one.requesterName} (${one.requesterGroupName})`)

const factsIn = {
  ko: (one: UrgentRequest) => ({
    요청자: requester(one),
    파일: `${one.fileCount}개, ${formatBytes(one.fileSize)}`,
    '긴급 사유': oneLine(one.urgentReason),
  }),
  en: (one: UrgentRequest) => ({
    Requester: requester(one),
    Files: `${files(one)}, ${formatBytes(one.fileSize)}`,
    'Urgent reason': oneLine(one.urgentReason),
  }),
}
const reviewIn = {
  ko: (one: ReviewedRequest) => ({ 승인자: oneLine(one.approverName), '이의 사유': oneLine(one.approvePurpose) }),
  en: (one: ReviewedRequest) => ({ Approver: oneLine(one.approverName), Objection: oneLine(one.approvePurpose) }),
}
const dueText = ({ reviewDueDT }: UrgentRequest) => (reviewDueDT === null ? '' : momentText(reviewDueDT))

export const URGENT_TEMPLATES: {
  [T in keyof UrgentMails]: (params: UrgentMails[T], site: Site) => MailText
} = {
  urgentExport: ({ name, request }, site) => ({
    ko: {
      subject: `긴급 반출 검토 요청 #${request.idx}`,
      blocks: [
        `${name}님, 승인 전에 허용된 긴급 반출이 있습니다. 파일과 사유를 보고 확인하거나 이의를 제기해 주세요.`,
        rows({ ...factsIn.ko(request), '검토 기한': dueText(request) }),
        link(site, request, `#${request.idx} 열기`),
      ],
    },
    en: {
      subject: `Urgent export to review, #${request.idx}`,
      blocks: [
        `Hello ${name}, an urgent export was allowed before its approval. Look at its files and its reason, and confirm it or object.`,
        rows({ ...factsIn.en(request), 'Review due': dueText(request) }),
        link(site, request, `Open #${request.idx}`),
      ],
    },
  }),
  urgentObjected: ({ name, request }, site) => ({
    ko: {
      subject: `긴급 반출 이의 제기 #${request.idx}`,
      blocks: [
        `${name}님, 승인자가 긴급 반출에 이의를 제기했습니다. 파일은 더 이상 다운로드할 수 없지만, 그 전에 다운로드되었을 수 있습니다.`,
        rows({ ...factsIn.ko(request), ...reviewIn.ko(request) }),
        link(site, request, `#${request.idx} 열기`),
      ],
    },
    en: {
      subject: `Objection to urgent export #${request.idx}`,
      blocks: [
        `Hello ${name}, an approver objected to an urgent export. Its files are closed now, but may have been downloaded before.`,
        rows({ ...factsIn.en(request), ...reviewIn.en(request) }),
        link(site, request, `Open #${request.idx}`),
      ],
    },
  }),
}
