// The license and the PCs that use it (spec S1 §2, §3, §7).
import { z } from 'zod'
import { type Columns, queryOf, shapeOf } from './core/columns.ts'
import { day, Empty, flag, idx, idxes, line, moment, searchText, shortSearchText } from './core/fields.ts'
import { filterType } from './core/paging.ts'
import { defineRoutes, del, form, get, list, post, put } from './core/route.ts'
import { enumOf, type ValueOf } from './labels/enumOf.ts'

export const CountType = enumOf({
  DEVICES: { value: 0, ko: '등록 PC', en: 'Registered PCs' },
})
export type CountType = ValueOf<typeof CountType>

/** Extensions of license files, without the dot. */
export const LICENSE_EXTENSIONS = ['json', 'lic'] as const
/** Bytes of an uploaded file at most; license files are far smaller. */
const MAX_FILE = 64 * 1024
/** Most PCs that one license may cover. */
export const MAX_DEVICES = 1_000_000
/** Most PCs that an administrator may let one user register. */
export const MAX_DEVICES_PER_USER = 1000

/** What a license file grants. */
export const LicenseTerms = z.strictObject({
  licensee: line(100).min(1),
  countType: z.literal(CountType.values),
  maxCount: z.int().min(1).max(MAX_DEVICES),
  issued: z.iso.datetime({ precision: 3 }),
  /** The last day on which new PCs are registered; without one the license does not expire. */
  expiry: day.optional(),
})
export type LicenseTerms = z.output<typeof LicenseTerms>

/** The license in force. */
export const LicenseStatus = z.object({
  /** Null for the evaluation license. */
  registerDT: moment.nullable(),
  countType: z.literal(CountType.values),
  useCount: z.int(),
  maxCount: z.int(),
  licensee: z.string().nullable(),
  expiry: day.nullable(),
  /** 1: no license file is registered; the built-in evaluation license applies. */
  isEvaluation: flag,
  /** 1: registered PCs go on, no new one is registered. */
  isExpired: flag,
  devicesPerUser: z.int(),
})
export type LicenseStatus = z.output<typeof LicenseStatus>

/** Why a genuine license cannot be registered: expired, or issued before the registered one, or in the future. */
export const LicenseObstacle = z.enum(['expired', 'older', 'future'])
export type LicenseObstacle = z.output<typeof LicenseObstacle>

/** Why a file is refused: its extension, no license, or a license that the vendor did not sign. */
export const LicenseFault = z.enum(['extension', 'form', 'signature'])
export type LicenseFault = z.output<typeof LicenseFault>

/** The content of a license file, next to the license in force. */
export const LicensePreview = LicenseTerms.extend({
  expiry: day.nullable(),
  obstacle: LicenseObstacle.nullable(),
  /** 1: this very file is registered. */
  isRegistered: flag,
  current: LicenseStatus,
})
export type LicensePreview = z.output<typeof LicensePreview>

const DEVICE = {
  userId: { ko: '아이디', en: 'ID', schema: z.string(), isSortable: true, filter: searchText, isInSearchBox: true },
  userName: { ko: '이름', en: 'Name', schema: z.string(), isSortable: true, filter: searchText, isInSearchBox: true },
  userEmail: { ko: '이메일', en: 'Email', schema: z.string(), isSortable: true },
  groupName: { ko: '그룹', en: 'Group', schema: z.string(), isSortable: true, filter: searchText },
  deviceName: { ko: 'PC 이름', en: 'PC', schema: z.string(), isSortable: true },
  deviceIp: { ko: 'PC IP', en: 'PC IP', schema: z.string(), isSortable: true },
  clientVersion: {
    ko: '클라이언트 버전',
    en: 'Client version',
    schema: z.string(),
    isSortable: true,
    filter: shortSearchText,
  },
  useDT: { ko: '최근 사용 일시', en: 'Last used', schema: moment, as: 'moment', isSortable: true },
} satisfies Columns

/** A registered PC as the license screen lists it. */
export const LicensedDevice = z.object({ idx, ...shapeOf(DEVICE) })
export type LicensedDevice = z.output<typeof LicensedDevice>

export const licenses = defineRoutes({
  /** Returns the license in force and its use. */
  find: get('/License', {
    input: Empty,
    data: LicenseStatus,
    access: 'admin',
    errors: [],
    shows: ['licenses'],
  }),
  /** Registers a license file. 986: not one, for `data.reason`; 985: it cannot be registered, see LicenseObstacle. */
  register: form('/License', {
    input: Empty,
    data: Empty,
    access: 'admin',
    errors: ['LICENSE_FAILED', 'INVALID_LICENSE'],
    changes: ['licenses', 'settings'],
    maxFile: MAX_FILE,
    inExternalMode: 'license',
    audit: 'settingManage',
  }),
  /** Shows what a license file holds and what would change. */
  preview: form('/License/Preview', {
    input: Empty,
    data: LicensePreview,
    access: 'admin',
    errors: ['INVALID_LICENSE'],
    changes: [],
    maxFile: MAX_FILE,
    inExternalMode: 'license',
    audit: { none: 'changes nothing' },
  }),
  /** Searches the registered PCs. filterType 0: any of the given texts matches; 1: all of them do. */
  searchUses: list('/License/Uses/Search', {
    input: queryOf(DEVICE).extend({ filterType }),
    item: LicensedDevice,
    columns: DEVICE,
    access: 'admin',
    errors: [],
    shows: ['licenses', 'users', 'groups'],
  }),
  /** Removes registered PCs, all or none: their licenses become available, their clients' next call returns 162. */
  removeUses: del('/License/Uses', {
    input: z.object({ idxes }),
    data: Empty,
    access: 'admin',
    errors: [],
    changes: ['licenses', 'users', 'session'],
    audit: 'licenseUse',
  }),
  /** Chooses the evaluation license and completes this part of the register step; 985 once a file is registered. */
  chooseEvaluation: post('/License/Evaluation', {
    input: Empty,
    data: Empty,
    access: 'admin',
    errors: ['LICENSE_FAILED'],
    changes: ['settings', 'licenses'],
    inExternalMode: 'license',
    audit: 'settingManage',
    assumed: true,
  }),
  /** PCs that one user may register; those registered before stay. */
  setDevicesPerUser: put('/License/DevicesPerUser', {
    input: z.object({ devicesPerUser: z.int().min(1).max(MAX_DEVICES_PER_USER) }),
    data: Empty,
    access: 'admin',
    errors: [],
    changes: ['licenses'],
    audit: 'settingManage',
    assumed: true,
  }),
})
