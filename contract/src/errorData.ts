// The data that an error carries, by its name. Errors without a line here carry none.
import { z } from 'zod'
import { OtpRegistration } from './account.ts'
import { ClientFault } from './clientVersions.ts'
import type { ErrorName } from './core/errors.ts'
import { MissingRows } from './core/fields.ts'
import { LogoFault } from './infos.ts'
import { LicenseFault, LicenseObstacle } from './licenses.ts'
import { DownloadRefusal, NoPreview } from './requestFiles.ts'
import { UrgentRefusal } from './urgentExports.ts'
import { Refusal } from './userImports.ts'

/** Why a new password is refused; without a reason it breaks a rule. */
export const PasswordFault = z.discriminatedUnion('reason', [
  z.object({ reason: z.literal(['temporary', 'common']) }),
  /** It contains a word about the person or the product. */
  z.object({ reason: z.literal('context'), word: z.string() }),
  /** It is one of the last `count` passwords. */
  z.object({ reason: z.literal('former'), count: z.int() }),
  /** The present one is not `days` days old. */
  z.object({ reason: z.literal('tooSoon'), days: z.int() }),
])

/** Some of the named users may not be changed, and prevent it for all. */
export const Prevention = z.object({ userIdxes: z.array(z.int()) })

const Wait = z.object({ retryAfter: z.int().describe('Seconds') })
const received = z.object({ received: z.int().describe('Bytes of the file that the server has') })

export const ERROR_DATA = {
  // Without data the password is a temporary one.
  PASSWORD_CHANGE_REQUIRED: z.object({ maxDays: z.int().describe('Days after which a password must be changed') }),
  OTP_NOT_REGISTERED: OtpRegistration,
  TOO_MANY_REQUESTS: Wait,
  SERVER_BUSY: Wait,
  UNSUITABLE_PASSWORD: PasswordFault,
  AUTHORITY_IN_USE: z.object({
    policies: z.int().describe('Policies that name the authority for a step'),
    requests: z.int().describe('Waiting requests that it decides now or later'),
  }),
  TOO_MANY_ENTRIES: z.object({ max: z.int() }),
  // Of a password rule; the names of other records have no data.
  DUPLICATE_NAME: z.object({ name: z.string().describe('The rule') }),
  DUPLICATE_REGEX: z.object({ name: z.string().describe('The rule') }),
  UNSAFE_REGEX: z.object({ name: z.string().describe('The rule') }),
  UPLOAD_OFFSET: received,
  UPLOAD_MISMATCH: received,
  NO_PREVIEW: NoPreview,
  DOWNLOADS_USED: DownloadRefusal,
  URGENT_REFUSED: UrgentRefusal,
  ADMIN_SELECTED: Prevention,
  NOT_ALLOWED: z.union([
    MissingRows,
    Prevention,
    z.object({ header: z.string().describe('The header that the call lacks') }),
  ]),
  INVALID_INPUT: z.object({ fields: z.array(z.string()) }),
  LICENSE_FAILED: z.object({ reason: LicenseObstacle }),
  INVALID_LICENSE: z.object({ reason: LicenseFault }),
  INVALID_CLIENT_FILE: z.object({ reason: ClientFault }),
  INVALID_IMAGE: z.object({ reason: LogoFault }),
  SYNC_FAILED: Refusal,
} as const satisfies Partial<Record<ErrorName, z.ZodType>>

/** Returns the schema of an error's data, or undefined if it carries none. */
export const errorDataOf = (name: ErrorName): z.ZodType | undefined =>
  name in ERROR_DATA ? ERROR_DATA[name as keyof typeof ERROR_DATA] : undefined
