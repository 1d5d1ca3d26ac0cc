// Labels of a policy's fields and values (spec S1 §3, §4, S2 §4), for server, console and client.
import { enumOf, type Label, type Language, type ValueOf } from './enumOf.ts'

export const OwnerType = enumOf({
  GROUP: { value: 0, ko: '그룹', en: 'Group' },
  USER: { value: 1, ko: '사용자', en: 'User' },
})
export type OwnerType = ValueOf<typeof OwnerType>

export const Clipboard = enumOf({
  BLOCK: { value: 0, ko: '차단', en: 'Blocked' },
  LOCAL_TO_VIRTUAL: { value: 1, ko: '로컬 → 가상', en: 'Local to virtual' },
  VIRTUAL_TO_LOCAL: { value: 2, ko: '가상 → 로컬', en: 'Virtual to local' },
  BOTH: { value: 3, ko: '양방향', en: 'Both ways' },
})

export const FileExport = enumOf({
  BLOCK: { value: 0, ko: '차단', en: 'Blocked' },
  ALLOW: { value: 1, ko: '허용', en: 'Allowed' },
  APPROVAL: { value: 2, ko: '승인 필요', en: 'Approval required' },
})

/** Values of most fields. */
export const Permission = enumOf({
  BLOCK: { value: 0, ko: '차단', en: 'Blocked' },
  ALLOW: { value: 1, ko: '허용', en: 'Allowed' },
})

/** Values of encryption and of the one-PC restriction. */
export const Use = enumOf({
  OFF: { value: 0, ko: '사용 안 함', en: 'Off' },
  ON: { value: 1, ko: '사용', en: 'On' },
})

/** Meaning of `ip1` and `ip2` in a network exception. */
export const ExceptionType = enumOf({
  DOMAIN: { value: 0, ko: '도메인', en: 'Domain' },
  IP_RANGE: { value: 1, ko: '시작 IP + 끝 IP', en: 'Start IP + end IP' },
  SUBNET: { value: 2, ko: 'IP + 서브넷', en: 'IP + subnet' },
})
export type ExceptionType = ValueOf<typeof ExceptionType>

type Values = Readonly<Record<number, Label>>
export type Unit = 'gigabytes' | 'hours' | 'days' | 'times'

export const UNIT_LABELS: Record<Unit, Label> = {
  gigabytes: { ko: 'GB', en: 'GB' },
  hours: { ko: '시간', en: 'hours' },
  days: { ko: '일', en: 'days' },
  times: { ko: '회', en: 'times' },
}

/** The values from the strictest to the loosest. `higherIsLooser`: of an amount. Null: no value is stricter. */
type Strictness = readonly number[] | 'higherIsLooser' | null

const permission = (ko: string, en: string) => ({
  ko,
  en,
  values: Permission.labels,
  strictness: [Permission.BLOCK, Permission.ALLOW],
})

/** Of an amount whose 0 limits nothing, so that 0 is the loosest. */
const NO_LIMIT: Values = { 0: { ko: '제한 없음', en: 'No limit' } }

/** An amount has a unit, and `values` only for numbers that are shown as words. */
type FieldLabel = Label & { values?: Values; unit?: Unit; strictness: Strictness }
const FIELDS = {
  clipboard: {
    ko: '클립보드',
    en: 'Clipboard',
    values: Clipboard.labels,
    // Out of the virtual desktop is looser than into it: documents leave.
    strictness: [Clipboard.BLOCK, Clipboard.LOCAL_TO_VIRTUAL, Clipboard.VIRTUAL_TO_LOCAL, Clipboard.BOTH],
  },
  fileExport: {
    ko: '파일 반출',
    en: 'File export',
    values: FileExport.labels,
    strictness: [FileExport.BLOCK, FileExport.APPROVAL, FileExport.ALLOW],
  },
  urgentExport: permission('긴급 반출', 'Urgent exports'),
  urgentReviewHours: {
    ko: '긴급 반출 검토 기한',
    en: 'Urgent review period',
    unit: 'hours',
    strictness: 'higherIsLooser',
  },
  downloadCount: {
    ko: '파일별 다운로드 횟수',
    en: 'Downloads per exported file',
    values: NO_LIMIT,
    unit: 'times',
    strictness: 'higherIsLooser',
  },
  downloadDays: {
    ko: '반출 다운로드 기간',
    en: 'Export download period',
    values: NO_LIMIT,
    unit: 'days',
    strictness: 'higherIsLooser',
  },
  uninstall: permission('클라이언트 삭제', 'Client removal'),
  network: permission('가상 네트워크', 'Virtual network'),
  localNetwork: permission('로컬 네트워크', 'Local network'),
  loopback: permission('루프백', 'Loopback'),
  screenCapture: permission('화면 캡처', 'Screen capture'),
  externalStorage: permission('외부 저장 장치', 'External storage'),
  print: permission('인쇄', 'Printing'),
  vmExecution: permission('가상 머신 실행', 'Virtual machines'),
  rdpExecution: permission('원격 데스크톱 실행', 'Remote desktop'),
  processExecution: permission('프로세스 실행', 'Process execution'),
  dllInjection: permission('DLL 인젝션', 'DLL injection'),
  encryption: { ko: '암호화', en: 'Encryption', values: Use.labels, strictness: [Use.ON, Use.OFF] },
  encryptionDefaultCapacity: {
    ko: '암호화 기본 용량',
    en: 'Default encrypted capacity',
    unit: 'gigabytes',
    strictness: null,
  },
  encryptionMaxCapacity: {
    ko: '암호화 최대 용량',
    en: 'Maximum encrypted capacity',
    unit: 'gigabytes',
    strictness: null,
  },
  offline: permission('오프라인 사용', 'Offline use'),
  offlineDays: { ko: '오프라인 사용 기간', en: 'Offline period', unit: 'days', strictness: 'higherIsLooser' },
} satisfies Record<string, FieldLabel>
export type PolicyField = keyof typeof FIELDS
/** The name of each field, with the labels of its values or the unit of its number. */
export const POLICY_FIELD_LABELS: Readonly<Record<PolicyField, FieldLabel>> = FIELDS

/** Returns how loose a value is, from 0 (the strictest) to 1. Null for amounts, whose range has no meaning. */
export function loosenessOf(field: PolicyField, value: number): number | null {
  const { strictness } = POLICY_FIELD_LABELS[field]
  return Array.isArray(strictness) ? strictness.indexOf(value) / (strictness.length - 1) : null
}

/** Whether a change of a value makes a policy less strict. */
export function isLooser(field: PolicyField, before: number, after: number): boolean {
  const { strictness, values } = POLICY_FIELD_LABELS[field]
  const orderOf = (amount: number) => (amount === 0 && values === NO_LIMIT ? Number.POSITIVE_INFINITY : amount)
  if (strictness === 'higherIsLooser') return orderOf(after) > orderOf(before)
  return strictness !== null && strictness.indexOf(after) > strictness.indexOf(before)
}

/** The name of each list of a policy. */
export const POLICY_LIST_LABELS = {
  approvalSteps: { ko: '승인 단계', en: 'Approval steps' },
  policyNetworkExceptions: { ko: '가상 네트워크 예외', en: 'Virtual network exceptions' },
  policyLocalNetworkExceptions: { ko: '로컬 네트워크 예외', en: 'Local network exceptions' },
  policyLoopbackExceptions: { ko: '루프백 예외', en: 'Loopback exceptions' },
  shortcutWebs: { ko: '웹 바로가기', en: 'Web shortcuts' },
  shortcutPrograms: { ko: '프로그램 바로가기', en: 'Program shortcuts' },
} as const satisfies Record<string, Label>
export type PolicyList = keyof typeof POLICY_LIST_LABELS

const AMOUNTS: Record<Unit, (count: number) => Label> = {
  gigabytes: (count) => ({ ko: `${count.toLocaleString('ko')} GB`, en: `${count.toLocaleString('en')} GB` }),
  hours: (count) => ({ ko: `${count}시간`, en: count === 1 ? '1 hour' : `${count} hours` }),
  days: (count) => ({ ko: `${count}일`, en: count === 1 ? '1 day' : `${count} days` }),
  times: (count) => ({ ko: `${count}회`, en: count === 1 ? 'Once' : `${count} times` }),
}

/** Returns the text of an amount, such as `20 GB`. */
export const amountText = (unit: Unit, count: number, language: Language): string => AMOUNTS[unit](count)[language]

/** Returns the text of a field's value, such as `Allowed` or `20 GB`. */
export function policyValueText(field: PolicyField, value: number, language: Language): string {
  const { values, unit } = POLICY_FIELD_LABELS[field]
  const label = values?.[value]?.[language]
  return label ?? (unit === undefined ? String(value) : amountText(unit, value, language))
}
