// How often and until when requesters download the files of their released exports, by the policy in force at that
// moment. Policies decide about exports only, so imports have no limit.
import { Transfer } from '@acc/contract/labels/requests'
import type { PolicyValues } from '@acc/contract/policyValues'
import type { DownloadRefusal } from '@acc/contract/requestFiles'
import { isReleased } from '@acc/contract/requestState'
import { days, later } from '../../clock.ts'
import type { Tx } from '../../db/open.ts'
import { findUserPolicy } from '../policies/policies.queries.ts'
import { countDownload } from './requestFiles.queries.ts'
import type { RequestRow } from './requests.queries.ts'

export type DownloadRule = Pick<PolicyValues, 'downloadCount' | 'downloadDays'>
type Released = Pick<RequestRow, 'type' | 'state' | 'isFileUploaded' | 'filesRemovedDT' | 'approveDT' | 'completeDT'>

/** Returns the limits of a request; null for none. */
export function downloadLimitsOf(request: Released, rule: DownloadRule | undefined) {
  if (!rule || request.type !== Transfer.EXPORT) return { maxDownloads: null, downloadEndDT: null }
  const { downloadCount, downloadDays } = rule
  // Decided after the last file arrived; allowed ones are released by their last file.
  const released = new Date(Math.max(Number(request.approveDT), Number(request.completeDT)))
  const hasEnd = downloadDays > 0 && isReleased(request)
  return {
    maxDownloads: downloadCount || null,
    downloadEndDT: hasEnd ? later(released, days(downloadDays)) : null,
  }
}

/** Counts a download of a file of a locked request, or returns why it is refused. */
export async function useDownload(tx: Tx, request: RequestRow, fileIdx: number, now: Date) {
  const { requesterIdx } = request
  const policy = requesterIdx === null ? undefined : await findUserPolicy(tx, requesterIdx)
  const { maxDownloads, downloadEndDT } = downloadLimitsOf(request, policy)
  const refusal = (reason: DownloadRefusal['reason']): DownloadRefusal => ({ reason })
  if (downloadEndDT !== null && downloadEndDT <= now) return refusal('days')
  return (await countDownload(tx, fileIdx, maxDownloads ?? 0)) ? undefined : refusal('count')
}
