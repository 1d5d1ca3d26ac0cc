// The widths of the columns of the histories, so that every list fits a window of 1280 pixels in both languages.
import type { Field } from '@acc/contract/history/fields'
import type { Label } from '@acc/contract/labels/enumOf'
import type { Language } from '../../kit/texts/translate.ts'

/** Widths of columns of enumerations, by the characters of the longest label. Longer ones share the rest. */
const LABEL_WIDTHS = {
  ko: [
    { characters: 6, width: 89 },
    { characters: 9, width: 118 },
    { characters: 13, width: 138 },
  ],
  en: [
    { characters: 6, width: 89 },
    { characters: 9, width: 118 },
    { characters: 15, width: 130 },
  ],
}

/** Widths in pixels; the others share the rest. */
const WIDTHS: Readonly<Record<string, number>> = {
  idx: 64,
  requestIdx: 92,
  ip: 100,
  targetIp: 120,
  deviceIp: 100,
  clientVersion: 88,
  logoutType: 92,
}

/** The same for single columns in English, next to labels and headings that are longer than in Korean. */
const ENGLISH_WIDTHS: Readonly<Record<string, number>> = {
  'bimManage.targetIp': 110,
  'account.actionType': 126,
  'account.resultType': 113,
  'account.userId': 98,
  'userImport.disableCount': 94,
  'authManage.type': 124,
  'authManage.targetName': 110,
  'policyManage.type': 156,
  'policyManage.targetType': 76,
  'fileDownload.requestIdx': 104,
}

/** The window that shows a column; narrower ones leave it to the selected entry and to the filter. */
const FROM: Readonly<Record<string, number>> = {
  'fileEximport.requesterGroupName': 1400,
  'fileDownload.requesterGroupName': 1400,
  'fileDownload.type': 1400,
  'account.userGroupName': 1400,
  'account.ip': 1400,
  'userImport.source': 1400,
}

/** The width of an enumeration by its longest label, or by its heading. */
function widthOfLabels(labels: readonly Label[], language: Language): number | undefined {
  const longest = Math.max(...labels.map((label) => label[language].length))
  return LABEL_WIDTHS[language].find(({ characters }) => longest <= characters)?.width
}

type Look = { language: Language; isWide: boolean }

function widthOf(name: string, field: Field, { language, isWide }: Look): number | undefined {
  if (WIDTHS[name] !== undefined) return WIDTHS[name]
  if (field.as === 'moment') return 158
  if (field.as === 'bytes') return 88
  if (/Count$/.test(name)) return 84
  if (field.values) return widthOfLabels([field, ...Object.values(field.values)], language)
  if (isWide || /Group/.test(name)) return undefined
  if (/Id$/.test(name)) return 104
  const isName = name === 'actorName' || name === 'userName'
  if (isName && language === 'en') return 116
  if (name === 'actorName') return 108
  return name === 'userName' ? 92 : undefined
}

/** Returns a column's width and the window that shows it. Undefined: it shares the rest, or is always shown. */
export function placeOf(log: string, name: string, field: Field, look: Look) {
  const english = look.language === 'en' ? ENGLISH_WIDTHS[`${log}.${name}`] : undefined
  return { width: english ?? widthOf(name, field, look), from: FROM[`${log}.${name}`] }
}
