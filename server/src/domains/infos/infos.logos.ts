// The logos of the sign-in page and of the console. Opening the sign-in page loads them with the configuration.
import {
  LOGO_EXTENSIONS,
  LOGO_SIZES,
  type LogoFault,
  type LogoPlace,
  MAX_LOGO,
  MAX_LOGO_SCALE,
} from '@acc/contract/infos'
import { SettingManage } from '@acc/contract/labels/history'
import { notify } from '../../core/change.ts'
import type { Change, FormFile } from '../../core/context.ts'
import { fail } from '../../core/errors.ts'
import { settingLog } from '../../core/settingLog.ts'
import type { Reader } from '../../db/open.ts'
import { readPng } from '../../files/png.ts'
import {
  deleteSetting,
  findSetting,
  lockSetting,
  type Setting,
  type SettingName,
  updateSetting,
} from '../../settings/settings.ts'

type Logo = Setting<'loginPageLogo'>
const LOGOS = {
  login: { setting: 'loginPageLogo', type: SettingManage.SET_LOGIN_LOGO },
  manage: { setting: 'managePageLogo', type: SettingManage.SET_MANAGE_LOGO },
} as const satisfies Record<LogoPlace, { setting: SettingName; type: number }>

/** Returns both logos as base64, null where none was uploaded. */
export async function findLogos(db: Reader) {
  const [login, manage] = [await findSetting(db, 'loginPageLogo'), await findSetting(db, 'managePageLogo')]
  return { loginPageLogoData: login?.data ?? null, managePageLogoData: manage?.data ?? null }
}

function refuse(reason: LogoFault): never {
  fail('INVALID_IMAGE', { reason })
}

/** Checks an uploaded logo and returns it as it is stored. Fails with INVALID_IMAGE. */
async function readLogo(place: LogoPlace, { name, bytes }: FormFile): Promise<Logo> {
  const extension = name.toLowerCase().split('.').at(-1)
  if (!LOGO_EXTENSIONS.some((allowed) => allowed === extension)) refuse('format')
  const { width, height } = LOGO_SIZES[place]
  const png = await readPng(bytes, { width: width * MAX_LOGO_SCALE, height: height * MAX_LOGO_SCALE })
  if (typeof png === 'string') refuse(png)
  if (png.bytes.length > MAX_LOGO) refuse('bytes')
  return { data: png.bytes.toString('base64'), name, width: png.width, height: png.height }
}

const wordsOf = (logo: Logo | undefined) => (logo === undefined ? null : `${logo.name} (${logo.width}×${logo.height})`)

const logEntry = (place: LogoPlace, next: Logo | undefined, old: Logo | undefined) =>
  settingLog(LOGOS[place].type, LOGOS[place].setting, { targetValue: wordsOf(next), targetOldValue: wordsOf(old) })

/** Stores a logo in place of the former one. */
export async function setLogo(ctx: Change<'settingManage'>, place: LogoPlace, file: FormFile) {
  const logo = await readLogo(place, file)
  const { setting } = LOGOS[place]
  return ctx.change(async (tx) => {
    const old = await lockSetting(tx, setting)
    if (old?.data === logo.data && old.name === logo.name) return { result: {}, log: 'unchanged' }
    await updateSetting(tx, setting, logo)
    await notify(tx, { topic: 'settings' })
    return { result: {}, log: [logEntry(place, logo, old)] }
  })
}

/** Removes a logo, so that the product's name appears in its place. */
export async function removeLogo(ctx: Change<'settingManage'>, place: LogoPlace) {
  const { setting } = LOGOS[place]
  return ctx.change(async (tx) => {
    const old = await lockSetting(tx, setting)
    if (old === undefined) return { result: {}, log: 'unchanged' }
    await deleteSetting(tx, setting)
    await notify(tx, { topic: 'settings' })
    return { result: {}, log: [logEntry(place, undefined, old)] }
  })
}
