// The words of what the history holds of a setting. A row has one text for both languages: a number without its unit, a
// version of a configuration by its number and size, a moment of a backup. Free of zod.
import type { Label } from './enumOf.ts'
import { formatMoment } from './formats.ts'
import { SettingManage } from './history.ts'
import { Encryption } from './mails.ts'
import { SyncKind } from './userImports.ts'

/** Returns the label of a stored value, or undefined to show it as stored. */
type Words = (text: string) => Label | undefined

const asStored: Words = () => undefined

const counted = (count: string) => Number(count).toLocaleString('en-US')
const plural = (count: string, one: string, many: string) => `${counted(count)} ${Number(count) === 1 ? one : many}`

/** A number with its unit. `zero`: the words of 0, where it does not mean a number. */
const number =
  (unit: string, one: string, many: string, zero?: Label): Words =>
  (text) => {
    if (!/^\d+$/.test(text)) return undefined
    if (Number(text) === 0 && zero !== undefined) return zero
    return { ko: `${counted(text)}${unit}`, en: plural(text, one, many) }
  }

/** Words by the parts of a text of one form. */
const form =
  (pattern: RegExp, words: (parts: readonly string[]) => Label): Words =>
  (text) => {
    const match = pattern.exec(text)
    return match === null ? undefined : words(match.slice(1))
  }

const version = form(/^#(\d+) \((.+)\)$/, ([no, size]) => ({
  ko: `버전 ${no} (${size})`,
  en: `Version ${no} (${size})`,
}))

const license = form(/^(\d+)(?: \((\d{4}-\d{2}-\d{2})\))?$/, ([count = '', expiry]) => ({
  ko: `PC ${counted(count)}대${expiry === undefined ? '' : `, ${expiry}까지`}`,
  en: `${plural(count, 'PC', 'PCs')}${expiry === undefined ? '' : `, until ${expiry}`}`,
}))

const mailServer: Words = (text) => {
  const encryption = Object.values(Encryption.labels).find(({ en }) => text.includes(` (${en}), `))
  return encryption && { ko: text.replace(` (${encryption.en}), `, ` (${encryption.ko}), `), en: text }
}

const userSync: Words = (text) => {
  const kind = Object.values(SyncKind.labels).find(({ en }) => text === en || text.startsWith(`${en}, `))
  return kind && { ko: text.replace(kind.en, kind.ko), en: text }
}

const contents = form(/^(\d+) \/ (\d+)$/, ([rows = '', files = '']) => ({
  ko: `행 ${counted(rows)}개, 파일 ${counted(files)}개`,
  en: `${plural(rows, 'row', 'rows')}, ${plural(files, 'file', 'files')}`,
}))

const requestFile = form(/^request (\d+) of (.+)$/, ([idx = '', name = '']) => ({
  ko: `${name}의 요청 ${idx}`,
  en: `Request ${idx} of ${name}`,
}))
const versionFile = form(/^client version (.+)$/, ([version = '']) => ({
  ko: `클라이언트 버전 ${version}`,
  en: `Client version ${version}`,
}))

const moment = form(/^(\d{4}-\d{2}-\d{2}T[\d:.]+Z)$/, ([text = '']) => {
  const local = formatMoment(text)
  return { ko: local, en: local }
})

/** The labels of values, by the event of the row. */
export const SETTING_VALUES: Readonly<Record<SettingManage, Words>> = {
  [SettingManage.SET_MAIL_SERVER]: mailServer,
  [SettingManage.SET_SITE_CONFIG]: version,
  [SettingManage.SET_CLIENT_POLICY]: version,
  [SettingManage.SET_OVERDUE_HOURS]: number('시간', 'hour', 'hours', { ko: '사용 안 함', en: 'Off' }),
  [SettingManage.SET_REQUEST_EXPIRY]: number('일', 'day', 'days', { ko: '만료 없음', en: 'Never' }),
  [SettingManage.SET_FILE_RETENTION]: number('일', 'day', 'days', { ko: '삭제 안 함', en: 'Never removed' }),
  [SettingManage.SET_DEVICES_PER_USER]: number('대', 'PC', 'PCs'),
  [SettingManage.REGISTER_LICENSE]: license,
  [SettingManage.MAKE_BACKUP]: contents,
  [SettingManage.VERIFY_BACKUP]: form(/^OK$/, () => ({ ko: '정상', en: 'Intact' })),
  [SettingManage.VERIFY_HISTORY]: form(/^OK \((\d+)\)$/, ([rows = '']) => ({
    ko: `정상 (행 ${counted(rows)}개)`,
    en: `Intact (${plural(rows, 'row', 'rows')})`,
  })),
  [SettingManage.RESTORE_FILE]: (text) => requestFile(text) ?? versionFile(text),
  [SettingManage.RESEND_MAIL]: asStored,
  [SettingManage.CHOOSE_OUTBOX]: asStored,
  [SettingManage.SET_HOST_ADDRESS]: asStored,
  [SettingManage.SET_LOGIN_LOGO]: asStored,
  [SettingManage.SET_MANAGE_LOGO]: asStored,
  [SettingManage.READ_MAIL]: asStored,
  [SettingManage.UPDATE_SSO_POLICY]: asStored,
  [SettingManage.DEFAULT_OTP_ON]: asStored,
  [SettingManage.DEFAULT_OTP_OFF]: asStored,
  [SettingManage.ADD_OTP_NEVER]: asStored,
  [SettingManage.ADD_OTP_ALWAYS]: asStored,
  [SettingManage.REMOVE_OTP_NEVER]: asStored,
  [SettingManage.REMOVE_OTP_ALWAYS]: asStored,
  [SettingManage.UPDATE_PASSWORD_RULES]: asStored,
  [SettingManage.UPDATE_PROTECTION]: asStored,
  [SettingManage.CHOOSE_EVALUATION_LICENSE]: asStored,
  [SettingManage.RESTORE_BACKUP]: asStored,
  [SettingManage.ROTATE_KEY]: asStored,
  [SettingManage.TAKE_SEAL_HEAD]: asStored,
  [SettingManage.ACCEPT_HISTORY]: asStored,
  [SettingManage.SET_USER_SYNC]: userSync,
}

/** The labels of targets, by the event of the row; others are shown as stored. */
export const SETTING_NAMES: Readonly<Record<number, Words>> = {
  [SettingManage.MAKE_BACKUP]: moment,
  [SettingManage.VERIFY_BACKUP]: moment,
  [SettingManage.RESTORE_BACKUP]: moment,
}
