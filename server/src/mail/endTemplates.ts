// The mail before own policies, network exceptions and memberships end.
import { EndingKind } from '@acc/contract/labels/ends'
import { type MailText, momentText, rows } from './blocks.ts'

/** Something that ends; `what` is its description or name, empty for an own policy. */
export type EndingLine = { kind: EndingKind; what: string; ownerName: string; endDT: Date }

export type EndMails = {
  /** What a person has, or set for others, that ends soon. */
  exceptionsEnd: { name: string; ends: readonly EndingLine[] }
}

/** Lines of one mail at most. */
const MAX_LINES = 20
/** Prevents people's text from looking like a line of the mail. */
const oneLine = (text: string) => text.replace(/\p{Cc}+/gu, ' ')

function linesIn(ends: readonly EndingLine[], language: 'ko' | 'en'): [string, string][] {
  const lines = ends.slice(0, MAX_LINES).map(({ kind, what, ownerName, endDT }): [string, string] => {
    const name = [EndingKind.labels[kind][language], ...(what === '' ? [] : [oneLine(what)])].join(' · ')
    return [`${oneLine(ownerName)} · ${name}`, momentText(endDT)]
  })
  const others = ends.length - lines.length
  if (others === 0) return lines
  return [...lines, language === 'ko' ? [`외 ${others}건`, ''] : [`and ${others} more`, '']]
}

export const END_TEMPLATES = {
  exceptionsEnd: ({ name, ends }: EndMails['exceptionsEnd'], { url }: { url: string }): MailText => ({
    ko: {
      subject: '예외 종료 예정 알림',
      blocks: [
        `${name}님, 아래 예외가 곧 종료됩니다. 종료되면 더 이상 적용되지 않습니다.`,
        linesIn(ends, 'ko'),
        '계속 필요하면 관리자가 종료일을 변경해야 합니다.',
        rows({ '접속 주소': { url } }),
      ],
    },
    en: {
      subject: 'Exceptions end soon',
      blocks: [
        `Hello ${name}, these exceptions end soon and then no longer apply.`,
        linesIn(ends, 'en'),
        'If they are still needed, an administrator has to change the end.',
        rows({ 'Sign in at': { url } }),
      ],
    },
  }),
}
