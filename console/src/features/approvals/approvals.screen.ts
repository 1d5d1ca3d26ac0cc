// Definitions of the two request queues: export, and import if the operator enables it (spec S2 §2.3).
import { page } from '@acc/contract/core/access'
import { Level } from '@acc/contract/labels/access'
import { Transfer } from '@acc/contract/labels/requests'
import { IconFileExport, IconFileImport } from '@tabler/icons-react'
import { defineScreen, shownIf } from '../../kit/layout/screen.ts'
import { approvalsTexts, useReviewCount, useWaitingCount } from './approvals.ts'

export const exportApprovalsScreen = defineScreen({
  name: 'approvals',
  title: { ko: '반출 승인', en: 'Export approval' },
  purpose: ({ session }) =>
    session.pageAuth.fileExportApprove === Level.EDIT
      ? { ko: '파일 반출 요청을 승인합니다', en: 'Approve file export requests' }
      : { ko: '파일 반출 요청을 조회합니다', en: 'View file export requests' },
  words: '요청 결재 긴급 검토 outgoing requests approve urgent review',
  icon: IconFileExport,
  section: 'main',
  access: page('fileExportApprove', Level.READ),
  availability: (runtime) => shownIf(runtime.show.approve.export),
  texts: approvalsTexts,
  load: () => import('./ApprovalsScreen.tsx').then((module) => module.ExportApprovalsScreen),
  useBadge: () => {
    const [waiting, toReview] = [useWaitingCount(Transfer.EXPORT), useReviewCount(Transfer.EXPORT)]
    return { count: (waiting ?? 0) + (toReview ?? 0), kind: 'waiting' }
  },
})

export const importApprovalsScreen = defineScreen({
  name: 'imports',
  title: { ko: '반입 승인', en: 'Import approval' },
  purpose: { ko: '파일 반입 요청을 승인합니다', en: 'Approve file import requests' },
  words: '요청 결재 incoming requests approve',
  icon: IconFileImport,
  section: 'main',
  access: page('fileImportApprove', Level.READ),
  availability: (runtime) => (runtime.show.approve.import ? 'shown' : 'unavailable'),
  texts: approvalsTexts,
  load: () => import('./ApprovalsScreen.tsx').then((module) => module.ImportApprovalsScreen),
  useBadge: () => ({ count: useWaitingCount(Transfer.IMPORT) ?? 0, kind: 'waiting' }),
})
