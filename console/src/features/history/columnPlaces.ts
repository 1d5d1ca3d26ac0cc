// The widths of the columns of the histories.
import type { Field } from '@acc/contract/history/fields'
import type { Label } from '@acc/contract/labels/enumOf'
import type { Language } from '../../kit/texts/translate.ts'

/** Widths of a column of an enumeration, by the characters of its longest label; longer ones share what the others leave. */
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

/** Widths in pixels, so that every list fits a window of 1280; the others share the rest. */
const WIDTHS: Readonly<Record<string, number>> = {
  idx: 64,
  requestIdx: 88,
  ip: 100,
  targetIp: 120,
  deviceIp: 100,
  clientVersion: 88,
  logoutType: 92,
}

/** The same for single columns in English, beside labels and headings that are longer than in Korean. */
const ENGLISH_WIDTHS: Readonly<Record<string, number>> = {
  'bimManage.targetIp': 110,
  'account.resultType': 116,
  'authManage.type': 124,
  'authManage.targetName': 110,
}

/** The window that shows a column; narrower ones leave it to the selected entry and to the filter. */
const FROM: Readonly<Record<string, number>> = {
  'fileEximport.requesterGroupName': 1400,
  'fileDownload.requesterGroupName': 1400,
  'account.userGroupName': 1400,
  'account.ip': 1400,
}

/** The width of an enumeration by its longest label, or by its heading. */
function widthOfLabels(labels: readonly Label[], language: Language): number | undefined {
  const longest = Math.max(...labels.map((label) => label[language].length))
  return LABEL_WIDTHS[language].find(({ characters }) => longest <= characters)?.width
}

/** The window in which names and IDs of people share the room, so that none is cut beside an empty column. */
export const WIDE = '(min-width: 1600px)'

type Look = { language: Language; isWide: boolean }

function widthOf(name: string, field: Field, { language, isWide }: Look): number | undefined {
  if (WIDTHS[name] !== undefined) return WIDTHS[name]
  if (field.as === 'moment') return 164
  if (field.as === 'bytes') return 88
  if (field.values) return widthOfLabels([field, ...Object.values(field.values)], language)
  if (isWide || /Group/.test(name)) return undefined
  if (/Id$/.test(name)) return 104
  if (name === 'actorName') return 108
  return name === 'userName' ? 92 : undefined
}

/** Returns the width of a column, and from which window on it is shown; undefined: it shares the rest, in every window. */
export function placeOf(log: string, name: string, field: Field, look: Look) {
  const english = look.language === 'en' ? ENGLISH_WIDTHS[`${log}.${name}`] : undefined
  return { width: english ?? widthOf(name, field, look), from: FROM[`${log}.${name}`] }
}
