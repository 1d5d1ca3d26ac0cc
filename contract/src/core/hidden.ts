// Invisible characters: direction marks that reverse a name (`invoice<U+202E>fdp.exe` reads `invoiceexe.pdf`), joiners,
// fillers that look like blanks, tags. They make two names look alike, or a program look like a document, so they are
// rejected in names that people read to decide (Unicode TR 36 §2, §3; docs/decisions/02-contract.md).

// Default_Ignorable_Code_Point contains all of them except the annotation marks and the empty Braille cell.
const HIDDEN = '[\\p{Default_Ignorable_Code_Point}\\uFFF9-\\uFFFB\\u2800]'
/** The Bidi_Control characters, which change the direction of text. */
const TURNING = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u

// Places where such characters are visible in their effect: an emoji of several parts,
const PERSON = '\\p{Extended_Pictographic}(?:\\uFE0F|\\p{Emoji_Modifier})?'
const EMOJI = `${PERSON}(?:\\u200D${PERSON})*|[0-9#*]\\uFE0F\\u20E3`
// letters of Arabic and of Indian scripts, which a joiner connects or separates,
const SCRIPTS = ['Arab', 'Deva', 'Beng', 'Gujr', 'Guru', 'Knda', 'Mlym', 'Orya', 'Sinh', 'Taml', 'Telu']
const LETTER = `(?!${HIDDEN})[${SCRIPTS.map((script) => `\\p{Script=${script}}`).join('')}]`
const JOINED = `${LETTER}[\\u200C\\u200D](?=${LETTER})`
// and variants of Chinese characters.
const FORM = '\\p{Script=Han}[\\uFE00-\\uFE02\\u{E0100}-\\u{E01EF}]'

const IN_NAMES = new RegExp(`(${EMOJI})|${HIDDEN}`, 'gu')
const IN_FILE_NAMES = new RegExp(`(${EMOJI}|${JOINED}|${FORM})|${HIDDEN}`, 'gu')

/** Returns the first invisible match. Stops there, since a long text may contain many. */
function firstOf(text: string, pattern: RegExp): string | undefined {
  for (const [character, shown] of text.matchAll(pattern)) if (shown === undefined) return character
  return undefined
}

/** Returns the first invisible character in a name; those inside emoji sequences are allowed. */
export const hiddenInName = (name: string): string | undefined => firstOf(name, IN_NAMES)

/** The same for a file name, which its owner cannot always change: characters that a script needs are allowed. */
export const hiddenInFileName = (name: string): string | undefined => firstOf(name, IN_FILE_NAMES)

/** Returns a file name without its invisible characters. */
export const withoutHidden = (name: string): string => name.replace(IN_FILE_NAMES, (_, shown?: string) => shown ?? '')

/** Returns whether a text contains direction marks. */
export const turns = (text: string): boolean => TURNING.test(text)

const BLANK = new RegExp(`(?:\\s|${HIDDEN})+`, 'gu')
/** Returns whether a text shows nothing. */
export const isBlank = (text: string): boolean => text.replace(BLANK, '') === ''

/** Returns the code point as `U+202E`. */
export const codePointOf = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
