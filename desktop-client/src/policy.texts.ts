// The policy in words: what each value is called and what it is set to (S1 section 3; design, section 5).
import { POLICY_FIELDS, type PolicyValues } from '@acc/contract/policies'
import type { Language } from './texts.ts'

type Words = { name: string; values?: readonly string[] }

const BLOCK_ALLOW = { ko: ['차단', '허용'], en: ['block', 'allow'] }
const OFF_ON = { ko: ['사용 안 함', '사용'], en: ['off', 'on'] }
const NAMES: Record<Language, Record<keyof PolicyValues, Words>> = {
  ko: {
    clipboard: { name: '클립보드', values: ['차단', '로컬 → 가상', '가상 → 로컬', '양방향'] },
    fileExport: { name: '파일 반출', values: ['차단', '허용', '승인 필요'] },
    uninstall: { name: '클라이언트 삭제', values: BLOCK_ALLOW.ko },
    network: { name: '가상 네트워크', values: BLOCK_ALLOW.ko },
    localNetwork: { name: '로컬 네트워크', values: BLOCK_ALLOW.ko },
    loopback: { name: '루프백', values: BLOCK_ALLOW.ko },
    screenCapture: { name: '화면 캡처', values: BLOCK_ALLOW.ko },
    externalStorage: { name: '외부 저장 장치', values: BLOCK_ALLOW.ko },
    print: { name: '인쇄', values: BLOCK_ALLOW.ko },
    vmExecution: { name: '가상 머신 실행', values: BLOCK_ALLOW.ko },
    rdpExecution: { name: '원격 데스크톱 실행', values: BLOCK_ALLOW.ko },
    processExecution: { name: '프로세스 실행', values: BLOCK_ALLOW.ko },
    dllInjection: { name: 'DLL 인젝션', values: BLOCK_ALLOW.ko },
    encryption: { name: '암호화', values: OFF_ON.ko },
    encryptionDefaultCapacity: { name: '암호화 기본 용량 (GB)' },
    encryptionMaxCapacity: { name: '암호화 최대 용량 (GB)' },
    offline: { name: '오프라인 사용', values: BLOCK_ALLOW.ko },
    offlineDays: { name: '오프라인 사용 기간 (일)' },
  },
  en: {
    clipboard: { name: 'Clipboard', values: ['off', 'local to virtual', 'virtual to local', 'both ways'] },
    fileExport: { name: 'File export', values: ['block', 'allow', 'approval required'] },
    uninstall: { name: 'Uninstalling', values: BLOCK_ALLOW.en },
    network: { name: 'Virtual network', values: BLOCK_ALLOW.en },
    localNetwork: { name: 'Local network', values: BLOCK_ALLOW.en },
    loopback: { name: 'Loopback', values: BLOCK_ALLOW.en },
    screenCapture: { name: 'Screen capture', values: BLOCK_ALLOW.en },
    externalStorage: { name: 'External storage', values: BLOCK_ALLOW.en },
    print: { name: 'Printing', values: BLOCK_ALLOW.en },
    vmExecution: { name: 'Virtual machines', values: BLOCK_ALLOW.en },
    rdpExecution: { name: 'Remote desktop', values: BLOCK_ALLOW.en },
    processExecution: { name: 'Processes', values: BLOCK_ALLOW.en },
    dllInjection: { name: 'DLL injection', values: BLOCK_ALLOW.en },
    encryption: { name: 'Encryption', values: OFF_ON.en },
    encryptionDefaultCapacity: { name: 'Encrypted disk, default (GB)' },
    encryptionMaxCapacity: { name: 'Encrypted disk, at most (GB)' },
    offline: { name: 'Offline use', values: BLOCK_ALLOW.en },
    offlineDays: { name: 'Offline use, days' },
  },
}

export type PolicyLine = { name: string; value: string }

/** One line a value, in the policy's order. */
export const policyLines = (policy: PolicyValues, language: Language): PolicyLine[] =>
  POLICY_FIELDS.map((field) => policyLine(policy, field, language))

function policyLine(policy: PolicyValues, field: keyof PolicyValues, language: Language): PolicyLine {
  const { name, values } = NAMES[language][field]
  return { name, value: values?.[policy[field]] ?? String(policy[field]) }
}

/** The lines of what differs, each with the value before and after. */
export const policyChanges = (before: PolicyValues, after: PolicyValues, language: Language): string[] =>
  POLICY_FIELDS.filter((field) => before[field] !== after[field]).map((field) => {
    const { name, value } = policyLine(after, field, language)
    return `${name}: ${policyLine(before, field, language).value} → ${value}`
  })
