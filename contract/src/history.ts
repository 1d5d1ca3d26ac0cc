// The histories that managers and administrators read (S2 sections 2.6, 3 and 7).
import { z } from 'zod'
import { page } from './core/access.ts'
import { anyMoment, idx, moment, searchText, shortSearchText } from './core/fields.ts'
import { paging } from './core/paging.ts'
import { defineRoutes, list } from './core/route.ts'
import { LogoutType, SignInType } from './labels/history.ts'
import {
  approvalState,
  FILE_EXIMPORT_COLUMNS,
  FILE_EXIMPORT_SORTS,
  FileEximport,
  RequestFile,
  transfer,
} from './requests.ts'

/** From (inclusive) and to (exclusive); without them the list reaches as far as the history does. */
const range = { logSDT: anyMoment.optional(), logEDT: anyMoment.optional() }

const signInType = z.literal(SignInType.values)
const logoutType = z.literal(LogoutType.values)

/** One sign-in of the desktop client, or a failed try at one. */
export const ClientSignIn = z.object({
  idx,
  loginDT: moment,
  /** Null while the session is open, and for failed tries. */
  logoutDT: moment.nullable(),
  userId: z.string(),
  userName: z.string(),
  userGroupName: z.string(),
  ip: z.string(),
  userRole: z.int(),
  type: signInType,
  logoutType: logoutType.nullable(),
  clientVersion: z.string(),
  deviceName: z.string(),
})
export type ClientSignIn = z.output<typeof ClientSignIn>

export const ClientSignInFilter = paging([
  'idx',
  'loginDT',
  'logoutDT',
  'userId',
  'userName',
  'userGroupName',
  'ip',
  'type',
  'clientVersion',
]).extend({
  ...range,
  userId: searchText.optional(),
  userName: searchText.optional(),
  userGroupName: searchText.optional(),
  ip: shortSearchText.optional(),
  clientVersion: shortSearchText.optional(),
  type: signInType.optional(),
  logoutType: logoutType.optional(),
})
export type ClientSignInFilter = z.output<typeof ClientSignInFilter>

export const TransferLogFilter = paging(FILE_EXIMPORT_SORTS).extend({
  ...range,
  type: transfer,
  idx: searchText.optional(),
  requesterId: searchText.optional(),
  requesterName: searchText.optional(),
  requesterGroupName: searchText.optional(),
  approverId: searchText.optional(),
  approverName: searchText.optional(),
  fileName: searchText.optional(),
  state: approvalState.optional(),
})
export type TransferLogFilter = z.output<typeof TransferLogFilter>

export const history = defineRoutes({
  clientLogin: list('/Logs/ClientLogin', {
    input: ClientSignInFilter,
    item: ClientSignIn,
    columns: {
      loginDT: { ko: '로그인 일시', en: 'Signed in', as: 'moment' },
      logoutDT: { ko: '로그아웃 일시', en: 'Signed out', as: 'moment' },
      userId: { ko: '아이디', en: 'ID' },
      userName: { ko: '이름', en: 'Name' },
      userGroupName: { ko: '그룹', en: 'Group' },
      ip: { ko: 'IP', en: 'IP' },
      deviceName: { ko: 'PC 이름', en: 'PC' },
      clientVersion: { ko: '클라이언트 버전', en: 'Client version' },
      type: { ko: '유형', en: 'Type', values: SignInType.labels },
      logoutType: { ko: '종료 유형', en: 'Ended by', values: LogoutType.labels },
    },
    access: page('log', 1),
    errors: [],
    shows: [],
  }),
  fileEximport: list('/Logs/FileEximport', {
    input: TransferLogFilter,
    item: FileEximport.extend({
      /** Left out of the last rows of a page that has too many (MAX_LISTED_FILES). */
      files: z.array(RequestFile),
    }),
    columns: FILE_EXIMPORT_COLUMNS,
    access: page('log', 1),
    errors: [],
    shows: ['requests'],
  }),
})
