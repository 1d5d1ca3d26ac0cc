import type { HistoryDetail, HistoryEvent } from '@acc/contract/history/kinds'
import type { HistoryEntry } from './change.ts'

/** The history row of a changed setting. Without an old and a new value, its type or its lists say what changed. */
export const settingLog = (
  type: HistoryEvent<'settingManage'>,
  subject: string,
  detail: Partial<HistoryDetail<'settingManage'>> = {},
): HistoryEntry<'settingManage'> => ({
  kind: 'settingManage',
  type,
  subject,
  subjectIdx: null,
  groupIdx: null,
  detail: { targetName: null, targetValue: null, targetOldValue: null, ...detail },
})
