// Limits and formats of the specification (spec S1 §5, §9; S2 §5, §9). Lengths are in UTF-16 units, as in JavaScript.
// Text is trimmed and normalized to Unicode NFC before it is validated or stored.
import { z } from 'zod'
import { Level, Role } from '../labels/access.ts'
import { hiddenInFileName, hiddenInName, isBlank, turns } from './hidden.ts'
import { MAX_LENGTH, MAX_PORT } from './limits.ts'

/** Largest idx: the part of PostgreSQL's bigint that a JavaScript number holds exactly. */
const MAX_IDX = Number.MAX_SAFE_INTEGER
/** Largest rowsCount and maxCount, meaning "all" (spec S2 §7). */
export const UNCAPPED = 2147483646
/** Maximum number of idxes in one call. */
export const MAX_IDXES = 10_000

// No control characters or lone surrogates: PostgreSQL and XML cannot store them, logs and mails must not contain them.
const ONE_LINE = /^[^\p{Cc}\p{Cs}\u2028\u2029]*$/u
const LINES = /^(?:[^\p{Cc}\p{Cs}]|[\n\t])*$/u
// Names contain no separators of paths or of the chain `a > b`, no quotes and no brackets.
const NAME = /^[^\\/:*?"<>|;]*$/

/** Normalization shortens text at most by this factor: a Hangul syllable is three letters, CR LF two characters. */
const RAW_FACTOR = 4
// Normalization sorts the marks on a letter in quadratic time. UAX #15 §13 (Stream-Safe Text Format) allows 30 of them.
const PILE_OF_MARKS = /\p{M}{31}/u

/** Bounds text before any other check or normalization runs on it. */
const raw = (max: number) =>
  z
    .string()
    .max(RAW_FACTOR * max, { abort: true })
    .refine((text) => !PILE_OF_MARKS.test(text), { error: 'marks', abort: true })

const clean = (max: number) => raw(max).normalize('NFC').trim().max(max, { abort: true })

/** One line that may contain invisible characters: search text, or evidence in a report. */
export const anyLine = (max: number) => clean(max).regex(ONE_LINE)
/** One line as typed: neither trimmed nor normalized. */
export const verbatimLine = (max: number) => z.string().max(max, { abort: true }).regex(ONE_LINE)
/** One line without invisible characters; may be empty. */
export const line = (max: number) => anyLine(max).refine((text) => hiddenInName(text) === undefined, 'hidden')
/**
 * Text with line breaks; may be empty. CR LF becomes LF. Direction marks are rejected; other invisible characters are
 * accepted, since copied text often contains them and they change no name.
 */
export const lines = (max: number) =>
  raw(max)
    .overwrite((text) => text.replace(/\r\n?/g, '\n').normalize('NFC').trim())
    .max(max, { abort: true })
    .regex(LINES)
    .refine((text) => !turns(text), 'hidden')
/** A required name on one line, without `\ / : * ? " < > | ;`. */
export const nameText = (min: number, max: number) => line(max).min(min).regex(NAME)

export const idx = z.int().min(1).max(MAX_IDX)
export const idxes = z
  .array(idx)
  .min(1)
  .max(MAX_IDXES)
  .refine((list) => new Set(list).size === list.length, 'duplicate')
/** Names a row by its key. */
export const ByIdx = z.object({ idx })
/** Data of NOT_ALLOWED where a call names several rows: those that do not exist or are out of reach. */
export const MissingRows = z.object({ missing: z.array(idx) })
/** No fields: the input of a call without parameters, the data of a write that returns nothing. */
export const Empty = z.object({})
export type Empty = z.output<typeof Empty>
/** 0 or 1. */
export const flag = z.literal([0, 1])
/** Two bit flags, as in the state of a user. */
export const twoFlags = z.int().min(0).max(3)

export const role = z.literal(Role.values)
export const level = z.literal(Level.values)
/** The level on the page `log`, which has no EDIT. */
export const logLevel = z.literal([Level.NONE, Level.READ])

export const loginId = clean(MAX_LENGTH.loginId)
  .min(5)
  .regex(/^[a-z0-9][a-z0-9._-]*$/)
/** The ID as typed at sign-in; one that breaks the rules of IDs is unknown, not invalid. */
export const typedId = z.string().min(1).max(MAX_LENGTH.loginId, { abort: true }).regex(ONE_LINE)
export const personName = line(MAX_LENGTH.personName).min(1)
export const email = clean(MAX_LENGTH.email).regex(
  /^[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*@(?:[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?\.)*[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?$/,
)
/** Key of a user or group in an external directory; generated if omitted. */
export const key = line(100).min(1)
/** Marks a secret: the console keeps no draft of it, and OpenAPI names its format. */
export const secret = <S extends z.ZodString>(schema: S): S => schema.meta({ format: 'password' })
/** A password as typed, never trimmed. The login policy has the rules for new ones. */
export const password = secret(z.string().min(1).max(MAX_LENGTH.password))
export const otp = secret(z.string().regex(/^\d{6}$/))
export const groupName = nameText(3, 50)
export const groupDescription = line(100)
export const authorityName = nameText(1, 30)
export const authorityDescription = lines(100)
export const approvalPurpose = lines(200)
export const MAX_PURPOSE = 1000
export const requestPurpose = lines(MAX_PURPOSE)
  .min(1)
  .refine((text) => !isBlank(text), 'blank')
export const searchText = anyLine(MAX_LENGTH.searchText)
/** Filters of the history by address or version. */
export const shortSearchText = anyLine(15)
export const deviceId = line(100).min(1)
export const deviceName = line(100).min(1)
export const clientVersion = line(30).regex(/^\d+(\.\d+){0,3}$/)

const LABEL = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?'
/** A host name (RFC 1123 §2.1) whose last label is no number, so that 10.0.0.256 is not one. */
const HOST_NAME = new RegExp(`^(?:${LABEL}\\.)*(?![0-9]+$)${LABEL}$`)
const isHost = (text: string) => HOST_NAME.test(text) || z.ipv4().safeParse(text).success
/** A host name, an IPv4 address or an IPv6 address. */
export const host = (max: number) =>
  line(max)
    .min(1)
    .refine((text) => isHost(text) || z.ipv6().safeParse(text).success, 'host')
const HOST_AND_PORT = /^(?:\[(?<v6>[^\]]*)\]|(?<name>[^:]*))(?::(?<port>[1-9]\d{0,4}))?$/
/** A host as written in an address: an IPv6 address in brackets, optionally with a port. */
export const hostInUrl = (max: number) =>
  line(max)
    .min(1)
    .refine((text) => {
      const { v6, name = '', port = '1' } = HOST_AND_PORT.exec(text)?.groups ?? {}
      const isKnown = v6 === undefined ? isHost(name) : z.ipv6().safeParse(v6).success
      return isKnown && Number(port) <= MAX_PORT
    }, 'host')

/** ISO 8601 in UTC with milliseconds. The server may return a Date. */
export const moment = z.union([z.date().transform((date) => date.toISOString()), z.iso.datetime({ precision: 3 })])
/** Whether a moment is in the years 1 to 9999 in UTC, which everything writes with four digits and reads again. */
function hasUsualYear(text: string): boolean {
  const year = new Date(text).getUTCFullYear()
  return year >= 1 && year <= 9999
}
/** ISO 8601 with an offset or Z, as callers may send it. */
export const anyMoment = z.iso.datetime({ offset: true }).refine(hasUsualYear, 'year')
/** YYYY-MM-DD. */
export const day = z.iso.date()

/**
 * The name of a file on its owner's PC: no path, no control characters, no characters that disguise it; up to 255
 * characters, the limit of file systems.
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
/** Maximum number of files in one request. */
export const MAX_FILES = 1000
/** Bytes; at most 1 TiB a file. */
export const fileSize = z
  .int()
  .min(0)
  .max(2 ** 40)
export const sha256 = z.string().regex(/^[0-9a-f]{64}$/)

/** Maximum number of groups that one call may name. */
export const MAX_CHOSEN_GROUPS = 200

/** Without a group, every group that the viewer covers is included. */
export const chosenGroups = z.array(idx).max(MAX_CHOSEN_GROUPS).optional()
