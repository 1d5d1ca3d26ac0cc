// The scheduled jobs in words: what each one does, and when it runs. Free of zod.
import type { Label } from './enumOf.ts'

/** By the name of the queue. A job of another version of the server may have no words here. */
const JOBS: Readonly<Record<string, Label>> = {
  announceAbsences: { ko: '부재 시작과 종료 반영', en: 'Apply the start and end of absences' },
  backUp: { ko: '백업과 검증', en: 'Back up and verify' },
  cancelAbandonedRequests: { ko: '방치된 요청 취소', en: 'Cancel abandoned requests' },
  checkHistory: { ko: '이력 검증', en: 'Verify the history' },
  continueImports: { ko: '중단된 사용자 가져오기 계속', en: 'Continue interrupted imports' },
  countActivity: { ko: '대시보드 집계', en: 'Count activity for the dashboard' },
  deleteOldImports: { ko: '오래된 사용자 가져오기 정리', en: 'Remove old imports' },
  deliverDueMails: { ko: '예정된 메일 발송', en: 'Queue emails that are due' },
  deliverMail: { ko: '메일 발송', en: 'Send emails' },
  dropOldBatches: { ko: '오래된 차단 보고 번호 정리', en: 'Remove old block report numbers' },
  dropOldMails: { ko: '오래된 메일 정리', en: 'Remove old emails' },
  dropSentNotices: { ko: '보낸 알림 정리', en: 'Remove sent notices' },
  endExceptions: { ko: '종료된 예외 정리와 예고', en: 'Remove and announce exceptions that end' },
  endSilentServers: { ko: '응답 없는 BIM 서버 연결 해제', en: 'Disconnect silent BIM servers' },
  endSilentSessions: { ko: '응답 없는 세션 종료', en: 'End silent sessions' },
  expireRequests: { ko: '처리되지 않은 요청 만료와 예고', en: 'Expire undecided requests, and announce it' },
  keepPartitions: { ko: '이력 보관 기간 관리', en: 'Remove expired history' },
  mailFaults: { ko: '긴급 항목 메일 발송', en: 'Email urgent faults' },
  mailImportPasswords: { ko: '가져온 사용자의 임시 비밀번호 발송', en: 'Email passwords to imported users' },
  notifyApprovers: { ko: '승인자에게 알림', en: 'Notify approvers' },
  notifyRequesters: { ko: '요청자에게 알림', en: 'Notify requesters' },
  remindOfExpiry: { ko: '계정 만료 예고', en: 'Announce account expirations' },
  readUserSync: { ko: '사용자 원본 읽기', en: 'Read the user source' },
  removeOldFiles: { ko: '보관 기간이 지난 파일 삭제', en: 'Remove files past their retention' },
  runImport: { ko: '사용자 가져오기', en: 'Import users' },
  sampleStatus: { ko: '운영 상태 기록', en: 'Record the system status' },
  scrubFiles: { ko: '저장된 파일 점검', en: 'Check stored files' },
  sealHistory: { ko: '이력 봉인', en: 'Seal the history' },
  sendHistory: { ko: '이력 전송', en: 'Forward the history' },
  startUserSync: { ko: '사용자 동기화 시작', en: 'Start user synchronization' },
  suspendDormant: { ko: '장기 미사용 계정 정지', en: 'Suspend unused accounts' },
  sweepFiles: { ko: '남은 파일 정리', en: 'Remove unused files' },
  warnDormant: { ko: '장기 미사용 계정 정지 예고', en: 'Announce suspensions of unused accounts' },
  warnOfCancel: { ko: '요청 취소 예고', en: 'Announce request cancellations' },
  warnOfRemoval: { ko: '파일 삭제 예고', en: 'Announce file removals' },
}

export const jobLabel = (name: string): Label | undefined => JOBS[name]

const padded = (digits = '') => digits.padStart(2, '0')

const DAY = 24 * 60

/** Returns a job's schedule in words, in a zone this many minutes ahead of UTC. Returns an unknown one unchanged. */
export function scheduleLabel(cron: string, offset: number): Label {
  if (cron === '* * * * *') return { ko: '1분마다', en: 'Every minute' }
  const [, step] = /^\*\/(\d+)( \*){4}$/.exec(cron) ?? []
  if (step !== undefined) return { ko: `${step}분마다`, en: `Every ${step} minutes` }
  const [, minute, hour] = /^(\d+) (\d+|\*) \* \* \*$/.exec(cron) ?? []
  if (minute === undefined) return { ko: cron, en: cron }
  const local = (((Number(hour === '*' ? 0 : hour) * 60 + Number(minute) + offset) % DAY) + DAY) % DAY
  const [localHour, localMinute] = [Math.floor(local / 60), String(local % 60)]
  if (hour === '*') return { ko: `매시 ${localMinute}분`, en: `Every hour at :${padded(localMinute)}` }
  const time = `${padded(String(localHour))}:${padded(localMinute)}`
  return { ko: `매일 ${time}`, en: `Every day at ${time}` }
}
