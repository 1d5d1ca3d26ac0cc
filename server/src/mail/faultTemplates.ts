// Mails to system administrators about urgent faults, with the sentences of the system status and without details, and
// about imports that stopped.
import { type Fault, faultEntry, PART_LABELS } from '@acc/contract/labels/systemStatus'
import { ImportRefusal } from '@acc/contract/labels/userImports'
import type { Refusal, UserImport } from '@acc/contract/userImports'
import { days } from '../clock.ts'
import { type MailText, momentText, rows } from './blocks.ts'

type ImportMails = {
  importStopped: {
    name: string
    fileName: string
    brake: UserImport['brake']
    refusal: Refusal | null
    when: Date
  }
}

/** Returns why a run stopped: the refusal, or how many people it would suspend. */
function reasonIn(language: 'ko' | 'en', { brake, refusal }: ImportMails['importStopped']): string {
  if (refusal !== null)
    return [ImportRefusal.labels[refusal.reason][language], refusal.text, refusal.hint]
      .filter((text) => text !== '')
      .join(' ')
  const { people, disables } = brake ?? { people: 0, disables: 0 }
  return language === 'ko'
    ? `사용자 ${people}명 중 ${disables}명이 정지됩니다. 확인하기 전에는 아무것도 적용되지 않습니다.`
    : `It would suspend ${disables} of ${people} users. Nothing is applied before you confirm it.`
}

const IMPORT_TEMPLATES = {
  importStopped: (params: ImportMails['importStopped'], { url }: { url: string }): MailText => ({
    ko: {
      subject: '사용자 동기화 중단 알림',
      blocks: [
        `${params.name}님, 사용자 동기화가 중단되었습니다.`,
        reasonIn('ko', params),
        '사용자 > 가져오기에서 확인해 주세요.',
        rows({ 원본: params.fileName, 일시: momentText(params.when), '접속 주소': { url } }),
      ],
    },
    en: {
      subject: 'User synchronization stopped',
      blocks: [
        `Hello ${params.name}, the synchronization of users has stopped.`,
        reasonIn('en', params),
        'See Users > Imports.',
        rows({ Source: params.fileName, When: momentText(params.when), 'Sign in at': { url } }),
      ],
    },
    validity: days(1),
  }),
}

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
          '운영 상태 화면에서 확인해 주세요.',
          rows({ 일시: momentText(when), '접속 주소': { url } }),
        ],
      },
      en: {
        subject: 'System status: action needed',
        blocks: [
          `Hello ${name}, new faults need action.`,
          linesIn('en'),
          'See the System status screen.',
          rows({ When: momentText(when), 'Sign in at': { url } }),
        ],
      },
      validity: days(1),
    }
  },
}
