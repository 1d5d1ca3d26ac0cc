// File export and import requests: what approvers see and decide in the console, and what the requester's desktop
// client creates, uploads and downloads (spec S2 §2.3, §3, §4, §6, §7).
import { z } from 'zod'
import { anyPage } from './core/access.ts'
import { shapeOf } from './core/columns.ts'
import { approvalPurpose, Empty, flag, idx, MAX_FILES, moment } from './core/fields.ts'
import { paging } from './core/paging.ts'
import { defineRoutes, download, get, list, post, upload } from './core/route.ts'
import { Level } from './labels/access.ts'
import { Decision, RequestBlock } from './labels/requests.ts'
import { CountedFile, OwnFile, RequestFile } from './requestFiles.ts'
import { approvalState, FILE_EXIMPORT_COLUMNS, FileEximportFilter, transfer } from './requestFilter.ts'
import { NewRequest, Rejected, Rejection } from './requestInputs.ts'
import { Deciders, LaterSteps, RequestStep } from './requestSteps.ts'

export const FileEximport = z.object({
  ...shapeOf(FILE_EXIMPORT_COLUMNS),
  type: transfer,
  requesterEmail: z.string(),
  requesterGroupIdx: idx.nullable(),
  approverGroupName: z.string().nullable(),
  /** 1 once every file has arrived completely and matches its hash. */
  isFileUploaded: flag,
})
export type FileEximport = z.output<typeof FileEximport>

/** How long a request has waited for a decision or a review. */
const WAITING_FIELDS = {
  /** Since when it waits; null unless it does. */
  waitDT: moment.nullable(),
  /** 1: it waits longer than administrators accept, or the review of an urgent export is late. */
  isOverdue: flag,
  /** When it is canceled unless somebody decides it; null for never. */
  expiryDT: moment.nullable(),
  /** What stops it now, in any state; null for nothing. */
  block: z.literal(RequestBlock.values).nullable(),
}

/** A request in a list. */
export const ListedFileEximport = FileEximport.extend({
  ...WAITING_FIELDS,
  /** Empty for the last rows of a page that has too many (MAX_LISTED_FILES). */
  files: z.array(RequestFile),
})
export type ListedFileEximport = z.output<typeof ListedFileEximport>

export const FileEximportDetail = FileEximport.extend({
  ...WAITING_FIELDS,
  files: z.array(CountedFile),
  /** From the first to the last. */
  steps: z.array(RequestStep),
  laterSteps: LaterSteps,
  /** Null unless the request waits or is to be reviewed. */
  deciders: Deciders.nullable(),
  /** Null once the requester was deleted. */
  requesterIdx: idx.nullable(),
  /** The groups from the root down to the requester's. */
  groupPath: z.array(z.string()),
  /** The requester's other requests in this direction during the 30 days before. */
  recent: z.object({ count: z.int(), size: z.int(), rejected: z.int() }),
  /** The requester's other requests in this direction that wait for a decision. */
  othersWaiting: z.int(),
  /** 1: the viewer may decide it now; without `isApprovable`, only reject it. */
  isDecidable: flag,
  isApprovable: flag,
  isDownloadable: flag,
  /** 1: the viewer may review the urgent export now. */
  isReviewable: flag,
  /** 1: the viewer may read its row of the history. */
  isInHistory: flag,
})
export type FileEximportDetail = z.output<typeof FileEximportDetail>

/** The history kinds of requests, one for each direction. */
export const TRANSFER_KINDS = ['fileExport', 'fileImport'] as const
export type TransferKind = (typeof TRANSFER_KINDS)[number]
/** A request as its requester sees it. */
export const OwnRequest = FileEximport.pick({
  idx: true,
  type: true,
  state: true,
  requestDT: true,
  approveDT: true,
  approverName: true,
  requestPurpose: true,
  approvePurpose: true,
  isFileUploaded: true,
  filesRemovedDT: true,
  fileCount: true,
  fileSize: true,
  step: true,
  stepCount: true,
  urgentReason: true,
  reviewDueDT: true,
}).extend({
  block: WAITING_FIELDS.block,
  expiryDT: WAITING_FIELDS.expiryDT,
  /** Of a request that waits or is to be reviewed, and is searched for by its number; otherwise null. */
  deciders: Deciders.nullable(),
  /** How often each file may be downloaded, by the policy in force; null: any number. */
  maxDownloads: z.int().nullable(),
  /** Until when its files may be downloaded; null before the release, and without a limit. */
  downloadEndDT: moment.nullable(),
  /** Empty for the last rows of a page that has too many (MAX_LISTED_FILES). */
  files: z.array(OwnFile),
})
export type OwnRequest = z.output<typeof OwnRequest>

const { idx: number, state, requestDT, requestPurpose: purpose, approveDT, approvePurpose } = FILE_EXIMPORT_COLUMNS
const OWN_COLUMNS = { idx: number, state, requestDT, requestPurpose: purpose, approveDT, approvePurpose } as const

const approver = anyPage(['fileExportApprove', 'fileImportApprove'], Level.READ)
const editor = anyPage(['fileExportApprove', 'fileImportApprove'], Level.EDIT)

export const requests = defineRoutes({
  /** Searches the requests of the groups that the viewer may see, and those of the viewer's step. */
  search: list('/FileEximports/Search', {
    input: FileEximportFilter,
    item: ListedFileEximport,
    columns: FILE_EXIMPORT_COLUMNS,
    access: approver,
    errors: [],
    shows: ['requests', 'users', 'policies', 'groups', 'authorities'],
  }),
  /** Returns one request with its files. */
  find: get('/FileEximport', {
    input: z.object({ idx }),
    data: FileEximportDetail,
    access: approver,
    errors: [],
    shows: ['requests', 'users', 'policies', 'groups', 'authorities'],
    assumed: true,
  }),
  /** Takes a Decision. Approving the last step stores APPROVED, rejecting any step REJECTED. */
  decide: post('/FileEximport/Approval', {
    input: z.object({
      idx,
      state: z.literal(Decision.values),
      purpose: approvalPurpose.default(''),
      /** The step that the caller has seen. 170 if the request waits for another one. */
      step: z.int().min(1).max(3).optional(),
    }),
    data: Empty,
    access: editor,
    errors: ['REQUEST_STATE'],
    changes: ['requests'],
    audit: TRANSFER_KINDS,
  }),
  /** Rejects several requests of one direction, each at the step that the caller has seen. */
  rejectMany: post('/FileEximports/Rejection', {
    input: Rejection,
    data: Rejected,
    access: editor,
    errors: [],
    changes: ['requests'],
    audit: TRANSFER_KINDS,
    assumed: true,
  }),
  /** Returns a zip of the named files of one request, or of all its files. */
  download: download('/FileEximport/Download', {
    mediaType: 'application/zip',
    input: z.object({
      fileEximport: idx,
      fileIdxes: z.array(idx).max(MAX_FILES).optional(),
      /** 1: only says whether the download would begin; nothing is sent or recorded. */
      isTrial: flag.default(0),
      /** For the name of the zip, where a browser downloads it by itself and sends no `X-Time-Zone`. */
      timeZone: z.string().max(64).optional(),
    }),
    data: Empty,
    access: editor,
    errors: ['REQUEST_STATE', 'STORAGE_UNAVAILABLE'],
    audit: 'fileDownload',
  }),
  /**
   * Returns what a preview shows of one file: the beginning of a text, otherwise all of it. 173 says by
   * `{reason, kind}` why a file cannot be shown.
   */
  preview: download('/FileEximport/File/Preview', {
    mediaType: 'application/octet-stream',
    input: z.object({ fileEximport: idx, file: idx }),
    data: Empty,
    access: editor,
    errors: ['REQUEST_STATE', 'NO_PREVIEW', 'STORAGE_UNAVAILABLE'],
    audit: 'fileDownload',
    assumed: true,
  }),
  /** Creates a request; its files are uploaded afterwards, one by one. 174 says why an urgent one is refused. */
  create: post('/Agent/FileEximport', {
    input: NewRequest,
    data: z.object({ idx, state: approvalState, files: z.array(OwnFile) }),
    access: 'agent',
    errors: ['URGENT_REFUSED', 'STORAGE_UNAVAILABLE'],
    changes: ['requests'],
    audit: TRANSFER_KINDS,
  }),
  /** Sends the bytes of one file from `offset` on. 171 carries `{received}` if that is not the offset of the server. */
  upload: upload('/Agent/FileEximport/File', {
    input: z.object({ fileEximport: idx, file: idx, offset: z.int().min(0) }),
    data: z.object({ received: z.int(), isUploaded: flag, isFileUploaded: flag }),
    access: 'agent',
    errors: ['REQUEST_STATE', 'UPLOAD_OFFSET', 'UPLOAD_MISMATCH', 'STORAGE_UNAVAILABLE'],
    changes: ['requests', 'mails'],
    audit: TRANSFER_KINDS,
  }),
  /** Cancels an undecided request of the caller. */
  cancel: post('/Agent/FileEximport/Cancel', {
    input: z.object({ idx }),
    data: Empty,
    access: 'agent',
    errors: ['REQUEST_STATE'],
    changes: ['requests'],
    audit: TRANSFER_KINDS,
  }),
  /** Searches the caller's own requests. */
  searchOwn: list('/Agent/FileEximports', {
    input: paging(['idx', 'requestDT', 'state']).extend({ idx: idx.optional(), type: transfer.optional() }),
    item: OwnRequest,
    columns: OWN_COLUMNS,
    access: 'agent',
    errors: [],
    shows: ['requests'],
  }),
  /** Returns one file of the caller's own approved or allowed request. Each download that begins counts. */
  downloadOwn: download('/Agent/FileEximport/Download', {
    mediaType: 'application/octet-stream',
    input: z.object({ fileEximport: idx, file: idx }),
    data: Empty,
    access: 'agent',
    errors: ['REQUEST_STATE', 'DOWNLOADS_USED', 'STORAGE_UNAVAILABLE'],
    audit: ['fileDownload', ...TRANSFER_KINDS],
    changes: ['requests'],
  }),
})
