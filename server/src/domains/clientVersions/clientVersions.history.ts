// History rows about client versions (spec S2 §3, client-management log).
import { ClientManage } from '@acc/contract/labels/history'
import type { HistoryEntry } from '../../core/change.ts'
import { withOldValues } from '../../core/historyValues.ts'
import type { VersionRow } from './clientVersions.queries.ts'

/** A history row about a version; `before` is the version that was deployed until now. */
const versionLog = (
  type: (typeof ClientManage.values)[number],
  { idx, version }: VersionRow,
  before: VersionRow | undefined,
): HistoryEntry<'clientManage'> => ({
  kind: 'clientManage',
  type,
  subject: version,
  subjectIdx: idx,
  groupIdx: null,
  detail: withOldValues('target', { version }, before === undefined ? null : { version: before.version }),
})

export const uploadLog = (row: VersionRow) => versionLog(ClientManage.CREATE, row, undefined)
export const deployLog = (row: VersionRow, before: VersionRow | undefined) =>
  versionLog(ClientManage.UPDATE, row, before)
export const removeLog = (row: VersionRow) => versionLog(ClientManage.DELETE, row, undefined)
