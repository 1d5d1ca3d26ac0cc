// The information menu of the settings: the host server address and the logos (spec S1 §2, §3, §5, §7), and for how
// long the files of requests are kept.
import { z } from 'zod'
import { Empty, hostInUrl } from './core/fields.ts'
import { defineRoutes, del, form, get, post } from './core/route.ts'

/** Where each logo appears, and the size in pixels that suits it best (spec S1 §2). */
export const LOGO_SIZES = { login: { width: 300, height: 130 }, manage: { width: 180, height: 80 } } as const
export type LogoPlace = keyof typeof LOGO_SIZES
/** A logo may be this much wider and higher than recommended. */
export const MAX_LOGO_SCALE = 4
/** Bytes of an uploaded logo at most. */
export const MAX_LOGO_FILE = 1024 * 1024
/** Bytes of a stored logo at most: every visitor of the sign-in page loads it. */
export const MAX_LOGO = 128 * 1024
/** Days for which the files of decided requests are kept, at most; 0 keeps them without an end. */
export const MAX_FILE_RETENTION_DAYS = 3650
/** Hours after a change of that number in which no file is removed, so that a mistake can be undone. */
export const RETENTION_GRACE_HOURS = 24

/** Extensions of logo files, without the dot. */
export const LOGO_EXTENSIONS = ['png'] as const

/** Why a logo is refused: no whole PNG, too many pixels, too many bytes once stored. */
export const LogoFault = z.enum(['format', 'pixels', 'bytes'])
export type LogoFault = z.output<typeof LogoFault>

export const Infos = z.object({
  /** Empty if it was never set. */
  hostServerAddress: z.string(),
  /** PNG as base64; null if none was uploaded. */
  loginPageLogoData: z.string().nullable(),
  managePageLogoData: z.string().nullable(),
  fileRetentionDays: z.int(),
  serverVersion: z.string(),
})
export type Infos = z.output<typeof Infos>

const logoForm = {
  input: Empty,
  data: Empty,
  access: 'admin',
  errors: ['INVALID_IMAGE'],
  changes: ['settings'],
  audit: 'settingManage',
  maxFile: MAX_LOGO_FILE,
} as const
const logoRemoval = {
  input: Empty,
  data: Empty,
  access: 'admin',
  errors: [],
  changes: ['settings'],
  audit: 'settingManage',
  assumed: true,
} as const

export const infos = defineRoutes({
  /** Returns the settings of the screen Information. */
  find: get('/Infos', { input: Empty, data: Infos, access: 'admin', errors: [], shows: ['settings'] }),
  /** Sets the address that replaces `{{HOST}}` in both configurations. */
  setHostServerAddress: post('/Infos/HostServerAddress', {
    input: z.object({ hostServerAddress: hostInUrl(63) }),
    data: Empty,
    access: 'admin',
    errors: [],
    changes: ['settings'],
    audit: 'settingManage',
  }),
  /** Sets after how many days the files of decided requests are removed. */
  setFileRetention: post('/Infos/FileRetention', {
    input: z.object({ fileRetentionDays: z.int().min(0).max(MAX_FILE_RETENTION_DAYS) }),
    data: Empty,
    access: 'admin',
    errors: [],
    changes: ['settings'],
    audit: 'settingManage',
    assumed: true,
  }),
  /** Sets the logo of the sign-in page. */
  setLoginPageLogo: form('/Infos/LoginPageLogo', logoForm),
  /** Sets the logo of the console. */
  setManagePageLogo: form('/Infos/ManagePageLogo', logoForm),
  /** Removes the logo of the sign-in page. */
  removeLoginPageLogo: del('/Infos/LoginPageLogo', logoRemoval),
  /** Removes the logo of the console. */
  removeManagePageLogo: del('/Infos/ManagePageLogo', logoRemoval),
})
