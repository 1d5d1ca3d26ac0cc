// Distributable builds of the desktop client (spec S2 §2.4, §3, §7). One at a time is deployed: people download it in
// the portal, and clients update to it.
import { z } from 'zod'
import { type Columns, queryOf, shapeOf } from './core/columns.ts'
import { Empty, fileName, fileSize, flag, idx, moment, searchText, sha256 } from './core/fields.ts'
import { defineRoutes, del, download, get, list, post, streamedForm } from './core/route.ts'

/** Bytes of a client at most. */
export const MAX_CLIENT = 4 * 2 ** 30
/** Extensions of client files, without the dot. */
export const CLIENT_EXTENSIONS = ['exe'] as const

/** The file version of the program: four numbers, as in its properties on Windows. */
export const programVersion = z
  .string()
  .regex(/^(?:(?:0|[1-9]\d{0,4})\.){3}(?:0|[1-9]\d{0,4})$/)
  .max(23)

const FILE_COLUMNS = {
  version: { ko: '버전', en: 'Version', schema: programVersion, isSortable: true },
  fileName: { ko: '파일 이름', en: 'File name', schema: fileName, isSortable: true },
  fileSize: { ko: '크기', en: 'Size', schema: fileSize, as: 'bytes', isSortable: true },
  uploadDT: { ko: '업로드 일시', en: 'Uploaded', schema: moment, as: 'moment', isSortable: true },
} satisfies Columns
const VERSION_COLUMNS = {
  ...FILE_COLUMNS,
  isDeploy: {
    ko: '배포',
    en: 'Deployed',
    schema: flag,
    values: { 0: { ko: '', en: '' }, 1: { ko: '배포 중', en: 'Deployed' } },
    isSortable: true,
  },
} satisfies Columns

/** What downloads need to know of a version. */
export const ClientFile = z.object({ ...shapeOf(FILE_COLUMNS), sha256 })
export type ClientFile = z.output<typeof ClientFile>

export const ClientVersion = ClientFile.extend({ idx, isDeploy: flag })
export type ClientVersion = z.output<typeof ClientVersion>

/** Why a file is no client (987): its name, no Windows program, a part is missing, or it states no version. */
export const ClientFault = z.enum(['name', 'program', 'truncated', 'version'])
export type ClientFault = z.output<typeof ClientFault>

const ByVersion = z.object({ version: programVersion })
const NOT_RECORDED = { none: 'the program is the same for everybody' } as const

export const clientVersions = defineRoutes({
  /** Searches the uploaded client versions. */
  search: list('/Clients/Search', {
    input: queryOf(VERSION_COLUMNS).extend({ keyword: searchText.optional() }),
    item: ClientVersion,
    columns: VERSION_COLUMNS,
    access: 'admin',
    errors: [],
    shows: ['clientVersions'],
  }),
  /** Stores a build with the version of its version resource. 987: no client, for `data.reason`; 140: it exists. */
  upload: streamedForm('/Client', {
    input: Empty,
    data: ByVersion,
    access: 'admin',
    errors: ['INVALID_CLIENT_FILE', 'DUPLICATE_NAME'],
    changes: ['clientVersions'],
    maxFile: MAX_CLIENT,
    filePart: 'client',
    audit: 'clientManage',
  }),
  /** The deployed version; null as long as none is. */
  findDeployed: get('/Client/IsDeploy', {
    input: Empty,
    data: z.object({ client: ClientFile.nullable() }),
    access: 'session',
    errors: [],
    shows: ['clientVersions'],
  }),
  /** Deploys a version in place of the deployed one. */
  deploy: post('/Client/IsDeploy', {
    input: ByVersion,
    data: Empty,
    access: 'admin',
    errors: [],
    changes: ['clientVersions'],
    audit: 'clientManage',
  }),
  /** Deletes a version; 170 for the deployed one. */
  remove: del('/Client', {
    input: ByVersion,
    data: Empty,
    access: 'admin',
    errors: ['REQUEST_STATE'],
    changes: ['clientVersions'],
    audit: 'clientManage',
  }),
  /** Returns the file of one version. */
  download: download('/Client/Download', {
    mediaType: 'application/octet-stream',
    input: ByVersion,
    data: z.string(),
    access: 'admin',
    errors: [],
    audit: NOT_RECORDED,
  }),
  /** The deployed version for any signed-in person; 170 as long as none is deployed. */
  downloadDeployed: download('/Client/Download/Deploy/Web', {
    mediaType: 'application/octet-stream',
    input: Empty,
    data: z.string(),
    access: 'session',
    errors: ['REQUEST_STATE'],
    audit: NOT_RECORDED,
  }),
})
