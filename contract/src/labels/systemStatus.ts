// The parts of a running installation and what can be wrong with them. Free of zod.
import type { Label, ToneLabel } from './enumOf.ts'
import { THRESHOLDS } from './statusThresholds.ts'

/** The parts that the system status shows, in their order. */
export const PARTS = [
  'database',
  'files',
  'mail',
  'license',
  'backup',
  'archive',
  'history',
  'requests',
  'jobs',
  'nodes',
] as const
export type Part = (typeof PARTS)[number]

export const PART_LABELS: Readonly<Record<Part, Label>> = {
  database: { ko: '데이터베이스', en: 'Database' },
  files: { ko: '파일 저장소', en: 'File store' },
  mail: { ko: '메일', en: 'Mail' },
  license: { ko: '라이선스', en: 'License' },
  backup: { ko: '백업', en: 'Backup' },
  archive: { ko: 'WAL 보관', en: 'WAL archive' },
  history: { ko: '이력', en: 'History' },
  requests: { ko: '승인', en: 'Approvals' },
  jobs: { ko: '예약 작업', en: 'Scheduled jobs' },
  nodes: { ko: '노드', en: 'Nodes' },
}

/** Where the history goes out. */
export const OUTLET_NAMES = ['file', 'syslog'] as const
export type OutletName = (typeof OUTLET_NAMES)[number]
export const OUTLET_LABELS: Readonly<Record<OutletName, Label>> = {
  file: { ko: '파일', en: 'Files' },
  syslog: { ko: 'Syslog', en: 'Syslog' },
}

/** `isDaily`: mailed every day that it lasts. */
type FaultEntry = Label & { readonly part: Part; readonly isUrgent: boolean; readonly isDaily?: true }

/** Possible faults. Urgent: something already fails for people. Each one has a section in docs/operations/alerts.md. */
const FAULTS = {
  connectionsScarce: {
    part: 'database',
    isUrgent: false,
    ko: `데이터베이스 연결이 한도의 ${THRESHOLDS.connections}%를 넘었습니다.`,
    en: `More than ${THRESHOLDS.connections}% of the database connections are in use.`,
  },
  roleTooStrong: {
    part: 'database',
    isUrgent: false,
    ko: '서버의 데이터베이스 계정으로 이력을 지울 수 있습니다.',
    en: 'The server’s database role can delete the history.',
  },
  clockDiffers: {
    part: 'nodes',
    isUrgent: false,
    ko: `서버와 데이터베이스의 시계가 ${THRESHOLDS.clock}초 넘게 다릅니다.`,
    en: `The clock of a node differs from the database’s by more than ${THRESHOLDS.clock} seconds.`,
  },
  spaceLow: {
    part: 'files',
    isUrgent: false,
    ko: `파일 저장소의 여유 공간이 ${THRESHOLDS.lowSpace} GB보다 적습니다.`,
    en: `The file store has less than ${THRESHOLDS.lowSpace} GB of free space.`,
  },
  spaceExhausted: {
    part: 'files',
    isUrgent: true,
    ko: '파일 저장소에 여유 공간이 없어 업로드가 거부됩니다.',
    en: 'The file store has no free space left, so uploads are refused.',
  },
  storeUnavailable: {
    part: 'files',
    isUrgent: true,
    ko: '파일 저장소를 사용할 수 없습니다.',
    en: 'The file store cannot be used.',
  },
  filesDamaged: {
    part: 'files',
    isUrgent: true,
    ko: '저장된 파일 중 손상되거나 없어진 파일이 있습니다.',
    en: 'Some stored files are damaged or missing.',
  },
  mailServerMissing: {
    part: 'mail',
    isUrgent: false,
    ko: '메일 서버가 없어 메일이 발송되지 않습니다.',
    en: 'No mail server is registered, so emails are not delivered.',
  },
  mailFailed: {
    part: 'mail',
    isUrgent: false,
    ko: '지난 24시간 동안 발송하지 못한 메일이 있습니다.',
    en: 'Some emails could not be sent in the last 24 hours.',
  },
  mailDelayed: {
    part: 'mail',
    isUrgent: true,
    ko: `${THRESHOLDS.delay}분 넘게 발송되지 못한 메일이 있습니다.`,
    en: `Some emails have been waiting for more than ${THRESHOLDS.delay} minutes.`,
  },
  licenseAlmostFull: {
    part: 'license',
    isUrgent: false,
    ko: `라이선스의 ${THRESHOLDS.licenses}% 이상을 사용하고 있습니다.`,
    en: `At least ${THRESHOLDS.licenses}% of the licenses are in use.`,
  },
  licenseFull: {
    part: 'license',
    isUrgent: true,
    ko: '라이선스를 모두 사용하여 새 PC를 등록할 수 없습니다.',
    en: 'All licenses are in use, so no new PC can be registered.',
  },
  licenseExpiring: {
    part: 'license',
    isUrgent: false,
    ko: `라이선스가 ${THRESHOLDS.licenseExpiry}일 안에 만료됩니다.`,
    en: `The license expires within ${THRESHOLDS.licenseExpiry} days.`,
  },
  licenseExpired: {
    part: 'license',
    isUrgent: true,
    ko: '라이선스가 만료되어 새 PC를 등록할 수 없습니다.',
    en: 'The license has expired, so no new PC can be registered.',
  },
  backupOld: {
    part: 'backup',
    isUrgent: false,
    ko: `지난 ${THRESHOLDS.backupAge}일 동안 백업이 없습니다.`,
    en: `There has been no backup in the last ${THRESHOLDS.backupAge} days.`,
  },
  backupInvalid: {
    part: 'backup',
    isUrgent: true,
    ko: '마지막 백업을 검증하지 못했습니다.',
    en: 'The newest backup could not be verified.',
  },
  backupIncomplete: {
    part: 'backup',
    isUrgent: false,
    ko: '마지막 백업에 누락된 파일이 있습니다.',
    en: 'Some files are missing from the newest backup.',
  },
  backupOnSameDisk: {
    part: 'backup',
    isUrgent: false,
    ko: '마지막 백업이 원본과 같은 디스크에 있습니다.',
    en: 'The newest backup is on the disk that it protects.',
  },
  archiveDelayed: {
    part: 'archive',
    isUrgent: true,
    ko: `${THRESHOLDS.archiveDelay}분 넘게 WAL을 보관하지 못하고 있습니다.`,
    en: `Nothing has been archived for more than ${THRESHOLDS.archiveDelay} minutes.`,
  },
  archiveInvalid: {
    part: 'archive',
    isUrgent: true,
    ko: 'WAL 보관소를 검증하지 못했습니다.',
    en: 'The WAL archive could not be verified.',
  },
  historyAltered: {
    part: 'history',
    isUrgent: true,
    ko: '이력이 변경되었거나 일부가 없어졌습니다.',
    en: 'The history was altered, or parts of it were removed.',
  },
  sealHeadTaken: {
    part: 'history',
    isUrgent: false,
    ko: '마지막 봉인이 서버에 없어 데이터베이스에서 가져왔습니다.',
    en: 'The last seal of the history was missing on a node and was taken from the database.',
  },
  historyDelayed: {
    part: 'history',
    isUrgent: false,
    ko: `${THRESHOLDS.outletDelay}분 넘게 전송되지 못한 이력이 있습니다.`,
    en: `Some of the history has been waiting to be forwarded for more than ${THRESHOLDS.outletDelay} minutes.`,
  },
  requestsUndecidable: {
    part: 'requests',
    isUrgent: true,
    isDaily: true,
    ko: '승인을 기다리지만 처리할 수 있는 사람이 없는 요청이 있습니다.',
    en: 'Requests wait for an approval that nobody can give.',
  },
  reviewsOverdue: {
    part: 'requests',
    isUrgent: true,
    isDaily: true,
    ko: '검토 기한이 지난 긴급 반출이 있습니다.',
    en: 'The review of an urgent export is overdue.',
  },
  importBraked: {
    part: 'jobs',
    isUrgent: false,
    ko: '사용자 동기화가 확인을 기다리고 있습니다.',
    en: 'The synchronization of users waits for a confirmation.',
  },
  importRefused: {
    part: 'jobs',
    isUrgent: false,
    ko: '마지막 사용자 동기화가 실패했습니다.',
    en: 'The last synchronization of users failed.',
  },
  jobFailed: {
    part: 'jobs',
    isUrgent: false,
    ko: '마지막 실행이 실패한 작업이 있습니다.',
    en: 'The last run of a job failed.',
  },
  jobDelayed: {
    part: 'jobs',
    isUrgent: true,
    ko: `${THRESHOLDS.delay}분 넘게 실행되지 못한 작업이 있습니다.`,
    en: `A job has been waiting for more than ${THRESHOLDS.delay} minutes.`,
  },
  nodeSilent: {
    part: 'nodes',
    isUrgent: false,
    ko: '종료하지 않고 응답이 끊긴 서버가 있습니다.',
    en: 'A node stopped responding without having been shut down.',
  },
  versionsDiffer: {
    part: 'nodes',
    isUrgent: false,
    ko: '서버들의 버전이 서로 다릅니다.',
    en: 'The nodes run different versions.',
  },
} as const satisfies Readonly<Record<string, FaultEntry>>

export type Fault = keyof typeof FAULTS

export const FAULT_NAMES = Object.keys(FAULTS) as [Fault, ...Fault[]]
export const faultEntry = (fault: Fault): FaultEntry => FAULTS[fault]

const FINE: ToneLabel = { ko: '정상', en: 'OK', tone: 'ok' }
const ATTENTION: ToneLabel = { ko: '주의', en: 'Attention', tone: 'warn' }
const URGENT: ToneLabel = { ko: '조치 필요', en: 'Action needed', tone: 'bad' }

/** The state of a part, or of the whole, by its faults. */
export function statusLabel(faults: readonly Fault[]): ToneLabel {
  if (faults.some((fault) => FAULTS[fault].isUrgent)) return URGENT
  return faults.length > 0 ? ATTENTION : FINE
}
