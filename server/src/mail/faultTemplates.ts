// Mails to system administrators about urgent faults, with the sentences of the system status and without details, and
// about imports that stopped.
import { type Fault, faultEntry, PART_LABELS } from '@acc/contract/labels/systemStatus'
import { days } from '../clock.ts'
import { type MailText, momentText, rows } from './blocks.ts'
import { IMPORT_TEMPLATES, type ImportMails } from './importTemplates.ts'

export type FaultMails = { urgentFaults: { name: string; faults: readonly Fault[]; when: Date } } & ImportMails

export const FAULT_TEMPLATES = {
  ...IMPORT_TEMPLATES,
  urgentFaults: ({ name, faults, when }: FaultMails['urgentFaults'], { url }: { url: string }): MailText => {
    const linesIn = (language: 'ko' | 'en') =>
      faults.map((fault): [string, string] => {
        const entry = faultEntry(fault)
        return [PART_LABELS[entry.part][language], entry[language]]
      })
    return {
      ko: {
        subject: '운영 상태 조치 필요 알림',
        blocks: [
          `${name}님, 조치가 필요한 항목이 새로 발견되었습니다.`,
          linesIn('ko'),
          '설정 > 정보 > 운영 상태에서 확인해 주세요.',
          rows({ 일시: momentText(when), '접속 주소': { url } }),
        ],
      },
      en: {
        subject: 'System status: action needed',
        blocks: [
          `Hello ${name}, new faults need action.`,
          linesIn('en'),
          'See Settings > Information > System status.',
          rows({ When: momentText(when), 'Sign in at': { url } }),
        ],
      },
      validity: days(1),
    }
  },
}
