// The desktop client's door: sign-in with a device, policy, file requests, blocked connections (design, section 6).
import { z } from 'zod'
import { approvalState, FILE_EXIMPORT_COLUMNS, TRANSFER_KINDS, transfer } from './approvals.ts'
import {
  anyLine,
  anyMoment,
  clientVersion,
  deviceId,
  deviceName,
  fileName,
  fileSize,
  flag,
  idx,
  MAX_FILES,
  moment,
  otp,
  password,
  requestPurpose,
  sha256,
  typedId,
} from './core/fields.ts'
import { paging } from './core/paging.ts'
import { defineRoutes, download, get, list, post, upload } from './core/route.ts'
import { NetworkBlock } from './labels/history.ts'
import { PolicyValues } from './policies.ts'

/** A file of a request as its owner's client sees it. */
export const AgentFile = z.object({
  idx,
  fileName: z.string(),
  fileSize: z.int(),
  sha256: z.string(),
  /** Bytes that the server holds: where an interrupted upload goes on. */
  received: z.int(),
  isUploaded: flag,
})

export const AgentRequest = z.object({
  idx,
  type: transfer,
  state: approvalState,
  requestDT: moment,
  approveDT: moment.nullable(),
  requestPurpose: z.string(),
  approvePurpose: z.string().nullable(),
  isFileUploaded: flag,
  fileCount: z.int(),
  fileSize: z.int(),
  /** Left out of the last rows of a page that has too many (MAX_LISTED_FILES). */
  files: z.array(AgentFile),
})
export type AgentRequest = z.output<typeof AgentRequest>

export const AgentPolicy = z.object({
  revision: z.string(),
  ownerName: z.string(),
  policy: PolicyValues,
  isSinglePC: flag,
})
export type AgentPolicy = z.output<typeof AgentPolicy>

const SIGN_IN = { none: 'the client sign-in log keeps it' } as const

const LISTED = {
  idx: FILE_EXIMPORT_COLUMNS.idx,
  state: FILE_EXIMPORT_COLUMNS.state,
  requestDT: FILE_EXIMPORT_COLUMNS.requestDT,
  requestPurpose: FILE_EXIMPORT_COLUMNS.requestPurpose,
  approveDT: FILE_EXIMPORT_COLUMNS.approveDT,
  approvePurpose: FILE_EXIMPORT_COLUMNS.approvePurpose,
} as const

export const agent = defineRoutes({
  login: post('/Agent/Login', {
    input: z.object({
      id: typedId,
      pw: password,
      otp: otp.optional(),
      deviceId,
      deviceName,
      clientVersion,
    }),
    data: z.object({
      token: z.string(),
      user: z.object({ idx, id: z.string(), name: z.string(), email: z.string(), groupName: z.string() }),
      policyRevision: z.string(),
      sessionValidMinutes: z.int(),
    }),
    access: 'public',
    errors: [
      'WRONG_CREDENTIALS',
      'PASSWORD_ATTEMPTS_EXCEEDED',
      'ACCOUNT_EXPIRED',
      'LOGIN_TYPE_REFUSED',
      'NO_LICENSE_LEFT',
      'OTHER_PC',
    ],
    audit: 'licenseUse',
  }),
  logout: post('/Agent/Logout', {
    input: z.object({}),
    data: z.object({}),
    access: 'agent',
    errors: [],
    audit: SIGN_IN,
  }),
  heartbeat: post('/Agent/Heartbeat', {
    input: z.object({ clientVersion: clientVersion.optional() }),
    data: z.object({
      policyRevision: z.string(),
      /** The version that is deployed; null while none is. */
      deployedVersion: z.string().nullable(),
      signOut: flag,
    }),
    access: 'agent',
    errors: ['DEVICE_REMOVED'],
    audit: { none: 'keeps a session, changes nothing else' },
  }),
  policy: get('/Agent/Policy', { input: z.object({}), data: AgentPolicy, access: 'agent', errors: [] }),
  tmpToken: post('/Agent/TmpToken', {
    input: z.object({}),
    data: z.object({ tmpToken: z.string(), url: z.string() }),
    access: 'agent',
    errors: [],
    audit: { none: 'the token is void after a minute; its use is a sign-in' },
  }),
  request: post('/Agent/FileEximport', {
    input: z.object({
      type: transfer,
      purpose: requestPurpose,
      files: z
        .array(z.object({ name: fileName, size: fileSize, sha256 }))
        .min(1)
        .max(MAX_FILES),
    }),
    data: z.object({ idx, state: approvalState, files: z.array(AgentFile) }),
    access: 'agent',
    errors: ['STORAGE_UNAVAILABLE'],
    audit: TRANSFER_KINDS,
  }),
  /** Sends one file's bytes from `offset` on. 171 answers `{received}` where the offset is not where the server stands. */
  upload: upload('/Agent/FileEximport/File', {
    input: z.object({ fileEximport: idx, file: idx, offset: z.int().min(0) }),
    data: z.object({ received: z.int(), isUploaded: flag, isFileUploaded: flag }),
    access: 'agent',
    errors: ['REQUEST_STATE', 'UPLOAD_OFFSET', 'UPLOAD_MISMATCH', 'STORAGE_UNAVAILABLE'],
    audit: TRANSFER_KINDS,
  }),
  cancel: post('/Agent/FileEximport/Cancel', {
    input: z.object({ idx }),
    data: z.object({}),
    access: 'agent',
    errors: ['REQUEST_STATE'],
    audit: TRANSFER_KINDS,
  }),
  requests: list('/Agent/FileEximports', {
    input: paging(['idx', 'requestDT', 'state']).extend({ idx: idx.optional(), type: transfer.optional() }),
    item: AgentRequest,
    columns: LISTED,
    access: 'agent',
    errors: [],
  }),
  download: download('/Agent/FileEximport/Download', {
    input: z.object({ fileEximport: idx, file: idx }),
    data: z.object({}),
    access: 'agent',
    errors: ['REQUEST_STATE', 'STORAGE_UNAVAILABLE'],
    audit: 'fileDownload',
  }),
  networkBlocks: post('/Agent/NetworkBlocks', {
    input: z.object({
      /** Made by the client; a batch that arrives again is ignored. */
      batchId: z.uuid(),
      blocks: z
        .array(
          z.object({
            type: z.literal(NetworkBlock.values),
            targetIp: anyLine(100).min(1),
            blockDT: anyMoment,
            // Evidence: a name that deceives is one to keep.
            processName: anyLine(30).optional(),
          }),
        )
        .min(1)
        .max(1000),
    }),
    data: z.object({ accepted: z.int() }),
    access: 'agent',
    errors: [],
    audit: 'networkAccess',
  }),
})
