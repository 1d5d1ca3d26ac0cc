// The caller's own requests: matching local files to those of a request, and the text for a terminal.

import { formatBytes, formatMoment } from '@acc/contract/labels/formats'
import { RequestState } from '@acc/contract/labels/requests'
import { isBlocked, isReleased, isToReview, isUploading, isWaiting } from '@acc/contract/requestState'
import type { Deciders } from '@acc/contract/requestSteps'
import type { OwnRequest } from '@acc/contract/requests'
import type { LocalFile } from './localFiles.ts'
import { plain, table } from './output.ts'
import type { Texts } from './texts.ts'
import type { RequestFile, Upload } from './upload.ts'

type Pairs = { uploads: Upload[]; strangers: LocalFile[] }

/**
 * Finds the request's file with the same content for each local file, by name if there are several. Files that the
 * server already has are left out; `strangers` do not belong to the request.
 */
export function pairUp(fileEximport: number, files: readonly RequestFile[], locals: readonly LocalFile[]): Pairs {
  const left = new Set(files)
  const pairs: Pairs = { uploads: [], strangers: [] }
  for (const local of locals) {
    const alike = [...left].filter((file) => file.sha256 === local.sha256 && file.fileSize === local.size)
    const file = alike.find(({ fileName }) => fileName === local.name) ?? alike[0]
    if (file === undefined) pairs.strangers.push(local)
    else {
      left.delete(file)
      if (file.isUploaded === 0) pairs.uploads.push({ fileEximport, file, local })
    }
  }
  return pairs
}

/** A request of which something is still to come, so that a block matters. */
const isOpenOrReleased = (request: OwnRequest) => isWaiting(request) || isUploading(request) || isReleased(request)

function fileNote(request: OwnRequest, texts: Texts): string {
  if (request.filesRemovedDT !== null) return ` (${texts.filesRemoved(formatMoment(request.filesRemovedDT))})`
  if (isBlocked(request) && isOpenOrReleased(request)) return ` (${texts.blockedNote})`
  if (!isUploading(request)) return ''
  // A long list leaves files out; a single request has them.
  if (request.files.length < request.fileCount)
    return request.state === RequestState.REQUESTED ? '' : ` (${texts.uploading})`
  const received = request.files.reduce((sum, file) => sum + file.received, 0)
  return ` (${texts.received(`${formatBytes(received)} / ${formatBytes(request.fileSize)}`)})`
}

/** Returns the names of those who can decide a request. */
function approversOf(deciders: Deciders, texts: Texts): string {
  if (deciders.count === 0) return texts.nobody
  const names = deciders.people.map(({ name }) => plain(name)).join(', ')
  const rest = deciders.count - deciders.people.length
  return rest > 0 ? texts.andMore(names, rest) : names
}

/** Returns how often a file may still be downloaded; undefined without a limit, and before the release. */
function downloadsLeft(request: OwnRequest, file: RequestFile): number | undefined {
  const { maxDownloads } = request
  return maxDownloads && isReleased(request) ? Math.max(0, maxDownloads - file.downloads) : undefined
}

/** Returns the lines of a request with its files. */
export function requestLines(request: OwnRequest, texts: Texts): string[] {
  const { requestPurpose, approvePurpose, requestDT, approveDT, approverName, deciders } = request
  const { downloadEndDT, expiryDT, urgentReason, reviewDueDT } = request
  const approver = approverName ? ` (${plain(approverName)})` : ''
  const facts = [
    [texts.requested, formatMoment(requestDT)],
    [texts.purpose, plain(requestPurpose)],
    ...(urgentReason === null ? [] : [[texts.urgentReason, plain(urgentReason)]]),
    ...(reviewDueDT !== null && isToReview(request) ? [[texts.reviewDue, formatMoment(reviewDueDT)]] : []),
    ...(deciders === null ? [] : [[texts.approvers, approversOf(deciders, texts)]]),
    ...(expiryDT === null ? [] : [[texts.expires, formatMoment(expiryDT)]]),
    ...(approveDT === null ? [] : [[texts.decided, `${formatMoment(approveDT)}${approver}`]]),
    ...(approvePurpose ? [[texts.reason, plain(approvePurpose)]] : []),
    ...(downloadEndDT ? [[texts.downloadEnd, formatMoment(downloadEndDT)]] : []),
  ]
  const files = request.files.map((file) => {
    const left = downloadsLeft(request, file)
    return [
      `  ${file.idx}`,
      formatBytes(file.fileSize),
      file.isUploaded === 1 ? '100%' : `${Math.floor((file.received / Math.max(1, file.fileSize)) * 100)}%`,
      ...(left === undefined ? [] : [texts.downloadsLeft(left)]),
      plain(file.fileName),
    ]
  })
  const type = texts.types[request.type] ?? ''
  return [
    `${texts.request(request.idx)}: ${type}, ${texts.stateOf(request)}${fileNote(request, texts)}`,
    ...table(facts.map(([name = '', value = '']) => [`  ${name}`, value])),
    ...table(files),
  ]
}

/** Returns one line for each request. */
export function listLines(requests: readonly OwnRequest[], texts: Texts): string[] {
  const { head } = texts
  const rows = requests.map((request) => [
    String(request.idx),
    texts.types[request.type] ?? '',
    texts.stateOf(request) + fileNote(request, texts),
    formatMoment(request.requestDT),
    String(request.fileCount),
    formatBytes(request.fileSize),
    plain(request.requestPurpose),
  ])
  return table([[head.idx, head.type, head.state, head.requestDT, head.files, head.size, head.purpose], ...rows])
}
