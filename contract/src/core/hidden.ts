// Characters that nobody sees: direction marks that turn a name around (`invoice<U+202E>fdp.exe` reads `invoiceexe.pdf`),
// joiners, fillers that look like blanks, tags. They make two names look like one, or a program like a document, so names
// go without them wherever somebody decides by reading (Unicode TR 36 sections 2 and 3; docs/decisions/0010).

// Default_Ignorable_Code_Point holds them but for the annotation marks and the empty Braille cell.
const HIDDEN = '[\\p{Default_Ignorable_Code_Point}\\uFFF9-\\uFFFB\\u2800]'
/** Turns the direction of what follows, or of itself: the Bidi_Control characters. */
const TURNING = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u

// Where such characters shape what is seen. An emoji of several parts:
const PERSON = '\\p{Extended_Pictographic}(?:\\uFE0F|\\p{Emoji_Modifier})?'
const EMOJI = `${PERSON}(?:\\u200D${PERSON})*|[0-9#*]\\uFE0F\\u20E3`
// letters of Arabic and of the scripts of India, which a joiner ties or parts,
const SCRIPTS = ['Arab', 'Deva', 'Beng', 'Gujr', 'Guru', 'Knda', 'Mlym', 'Orya', 'Sinh', 'Taml', 'Telu']
const LETTER = `(?!${HIDDEN})[${SCRIPTS.map((script) => `\\p{Script=${script}}`).join('')}]`
const JOINED = `${LETTER}[\\u200C\\u200D](?=${LETTER})`
// and the form of a Chinese character.
const FORM = '\\p{Script=Han}[\\uFE00-\\uFE02\\u{E0100}-\\u{E01EF}]'

const IN_NAMES = new RegExp(`(${EMOJI})|${HIDDEN}`, 'gu')
const IN_FILE_NAMES = new RegExp(`(${EMOJI}|${JOINED}|${FORM})|${HIDDEN}`, 'gu')

/** The first match that is not shown. Stops there, since a long text may hold many. */
function firstOf(text: string, pattern: RegExp): string | undefined {
  for (const [character, shown] of text.matchAll(pattern)) if (shown === undefined) return character
  return undefined
}

/** The first character of a name that nobody sees. Emojis may have theirs. */
export const hiddenInName = (name: string): string | undefined => firstOf(name, IN_NAMES)

/** The same of a file's name, which nobody can always change: where a script needs such a character, it may stand. */
export const hiddenInFileName = (name: string): string | undefined => firstOf(name, IN_FILE_NAMES)

/** A file's name as it is seen. */
export const withoutHidden = (name: string): string => name.replace(IN_FILE_NAMES, (_, shown?: string) => shown ?? '')

/** Whether a text turns its own direction. */
export const turns = (text: string): boolean => TURNING.test(text)

const BLANK = new RegExp(`(?:\\s|${HIDDEN})+`, 'gu')
/** Whether a reader would see nothing. */
export const isBlank = (text: string): boolean => text.replace(BLANK, '') === ''

/** `U+202E`, for whoever has to find it. */
export const codePointOf = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
