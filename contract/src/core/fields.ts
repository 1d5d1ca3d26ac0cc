// Every limit and format of the specification, once (S1 sections 5 and 9, S2 sections 5 and 9). Lengths count characters
// as JavaScript does (UTF-16 units). Text is trimmed and brought to Unicode NFC before it is judged or kept.
import { z } from 'zod'
import { Level, Role } from '../labels/access.ts'
import { hiddenInFileName, hiddenInName, isBlank, turns } from './hidden.ts'

/** Largest value of an idx: PostgreSQL's bigint within what a JavaScript number holds exactly. */
const MAX_IDX = Number.MAX_SAFE_INTEGER
/** Largest rowsCount and maxCount that a caller may send: "everything" (S2 section 7). */
export const UNCAPPED = 2147483646
/** How many idxes one call may name. */
export const MAX_IDXES = 10_000

// No control characters and no lone surrogates: PostgreSQL and XML could not hold them, logs and mails must not.
const ONE_LINE = /^[^\p{Cc}\p{Cs}\u2028\u2029]*$/u
const LINES = /^(?:[^\p{Cc}\p{Cs}]|[\n\t])*$/u
// Separators of paths and of the chain `a > b`, quotes and brackets stay out of names.
const NAME = /^[^\\/:*?"<>|;]*$/

/** Normalising shortens text by a factor of at most this: a Hangul syllable is three letters, CR LF two characters. */
const RAW_FACTOR = 4
// Normalising sorts the marks on a letter, in quadratic time. UAX #15 §13 (Stream-Safe Text Format) allows 30 of them.
const PILE_OF_MARKS = /\p{M}{31}/u

/** Text as sent, bounded before anything works on it: every later check is skipped when the text is too long or too piled up. */
const raw = (max: number) =>
  z
    .string()
    .max(RAW_FACTOR * max, { abort: true })
    .refine((text) => !PILE_OF_MARKS.test(text), { error: 'marks', abort: true })

const clean = (max: number) => raw(max).normalize('NFC').trim().max(max, { abort: true })

/** One line of at most `max` characters, taken as it comes: what is searched for, or reported as evidence. */
export const anyLine = (max: number) => clean(max).regex(ONE_LINE)
/** One line of at most `max` characters that shows all it holds; may be empty. */
export const line = (max: number) => anyLine(max).refine((text) => hiddenInName(text) === undefined, 'hidden')
/**
 * Text of at most `max` characters with line breaks; may be empty. CR LF becomes LF. Nothing turns its direction; what else
 * is invisible may stand, since it comes along with text that was copied and changes no name.
 */
export const lines = (max: number) =>
  raw(max)
    .overwrite((text) => text.replace(/\r\n?/g, '\n').normalize('NFC').trim())
    .max(max, { abort: true })
    .regex(LINES)
    .refine((text) => !turns(text), 'hidden')
/** A name: one line, required, without `\ / : * ? " < > | ;`. */
export const nameText = (min: number, max: number) => line(max).min(min).regex(NAME)

export const idx = z.int().min(1).max(MAX_IDX)
export const idxes = z
  .array(idx)
  .min(1)
  .max(MAX_IDXES)
  .refine((list) => new Set(list).size === list.length, 'duplicate')
/** 0 or 1. */
export const flag = z.literal([0, 1])
/** Two bit flags, as in the state of a user. */
export const twoFlags = z.int().min(0).max(3)

export const role = z.literal(Role.values)
export const level = z.literal(Level.values)
/** The level on the page `log`, which has no EDIT. */
export const logLevel = z.literal([Level.NONE, Level.READ])

export const loginId = clean(30)
  .min(5)
  .regex(/^[a-z0-9][a-z0-9._-]*$/)
/** The ID as typed at sign-in: longer or odd ones are simply unknown. */
export const typedId = z.string().min(1).max(30, { abort: true }).regex(ONE_LINE)
export const personName = line(30).min(1)
export const email = clean(100).regex(
  /^[A-Za-z0-9]+(?:[._-][A-Za-z0-9]+)*@(?:[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?\.)*[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?$/,
)
/** A key that an outside directory knows a user or group by; made up where none is given. */
export const key = line(100).min(1)
/** A password as typed: at most 64 characters, never trimmed. The rules for new ones are the login policy's. */
export const password = z.string().min(1).max(64)
export const otp = z.string().regex(/^\d{6}$/)
export const groupName = nameText(3, 50)
export const groupDescription = line(100)
export const authorityName = nameText(1, 30)
export const authorityDescription = lines(100)
export const approvalPurpose = lines(200)
export const MAX_PURPOSE = 1000
export const requestPurpose = lines(MAX_PURPOSE)
  .min(1)
  .refine((text) => !isBlank(text), 'blank')
export const searchText = anyLine(30)
/** The two narrow filters of the history lists: addresses and versions. */
export const shortSearchText = anyLine(15)
export const deviceId = line(100).min(1)
export const deviceName = line(100).min(1)
export const clientVersion = line(30).regex(/^\d+(\.\d+){0,3}$/)

/** A moment: ISO 8601 in UTC with milliseconds. The server may answer with a Date, which goes out as such text. */
export const moment = z.union([z.date().transform((date) => date.toISOString()), z.iso.datetime({ precision: 3 })])
/** A moment as a caller may send it, ISO 8601 with an offset or Z. */
export const anyMoment = z.iso.datetime({ offset: true })
/** A day, YYYY-MM-DD. */
export const day = z.iso.date()

/**
 * The name of a file as its owner has it: no path, no control characters, nothing that hides what it is; 255 characters
 * as file systems have it.
 */
export const fileName = raw(255)
  .normalize('NFC')
  .min(1)
  .max(255, { abort: true })
  .regex(ONE_LINE)
  .regex(/^[^/\\]*$/)
  .refine((name) => name !== '.' && name !== '..', 'path')
  .refine((name) => hiddenInFileName(name) === undefined, 'hidden')
  .refine((name) => !isBlank(name), 'blank')
/** At most this many files in one request. */
export const MAX_FILES = 1000
/** Bytes; at most 1 TiB a file. */
export const fileSize = z
  .int()
  .min(0)
  .max(2 ** 40)
export const sha256 = z.string().regex(/^[0-9a-f]{64}$/)
