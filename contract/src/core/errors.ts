// The error catalogue: the name that code throws, the number on the wire, and what the console does if the caller does
// not handle it (spec S1 §8, S2 §8, docs/decisions/02-contract.md). The sentences are in errors.ko.ts and errors.en.ts.
// Additions to the specification are marked.

/**
 * What the console does if the caller does not handle the error.
 * - `dialog`: shows the text of the error.
 * - `reload`: shows a dialog, then reloads the page, which leads to sign-in if the session is gone.
 * - `groups`: reloads the viewer's groups, then shows a dialog.
 * - `caller`: callers of the routes that list it handle it; otherwise like `dialog`.
 */
export type Reaction = 'caller' | 'dialog' | 'reload' | 'groups'

export const ERRORS = {
  WRONG_CREDENTIALS: { code: 100, reaction: 'caller' },
  PASSWORD_ATTEMPTS_EXCEEDED: { code: 101, reaction: 'caller' },
  ACCOUNT_DISABLED: { code: 102, reaction: 'reload' },
  ACCOUNT_EXPIRED: { code: 103, reaction: 'reload' },
  PASSWORD_CHANGE_REQUIRED: { code: 104, reaction: 'reload' },
  OTP_MAILED: { code: 105, reaction: 'caller' },
  WRONG_OTP: { code: 106, reaction: 'caller' },
  OTP_EXPIRED: { code: 107, reaction: 'caller' },
  UNSUITABLE_PASSWORD: { code: 108, reaction: 'caller' },
  OTP_ATTEMPTS_EXCEEDED: { code: 109, reaction: 'caller' },
  OTP_NOT_REGISTERED: { code: 110, reaction: 'reload', isListed: true },
  OTP_ALREADY_REGISTERED: { code: 111, reaction: 'caller' },
  OTP_REQUIRED: { code: 112, reaction: 'caller' },
  TOO_MANY_REQUESTS: { code: 113, reaction: 'dialog' },
  OTP_ALREADY_SENT: { code: 114, reaction: 'caller' },
  OTP_FAILED: { code: 115, reaction: 'caller' },
  NO_EMAIL: { code: 116, reaction: 'caller' },
  TEMPORARY_PASSWORD_MISMATCH: { code: 117, reaction: 'caller' },
  DUPLICATE_ID: { code: 120, reaction: 'caller' },
  DUPLICATE_EMAIL: { code: 121, reaction: 'caller' },
  NO_GROUP: { code: 122, reaction: 'caller' },
  DISABLED_USER: { code: 123, reaction: 'caller' },
  NO_OTP_TO_RESET: { code: 124, reaction: 'caller' },
  SELF_ACTION: { code: 125, reaction: 'caller' },
  ADMIN_SELECTED: { code: 126, reaction: 'caller' },
  ALREADY_ADDED: { code: 127, reaction: 'caller' }, // addition
  DUPLICATE_NAME: { code: 140, reaction: 'caller' },
  DUPLICATE_KEY: { code: 141, reaction: 'caller' },
  GROUP_ACTION_REFUSED: { code: 142, reaction: 'caller' },
  DUPLICATE_IP: { code: 145, reaction: 'caller' },
  DUPLICATE_REGEX: { code: 146, reaction: 'caller' }, // addition
  UNSAFE_REGEX: { code: 147, reaction: 'caller' }, // addition
  UNSATISFIABLE_RULES: { code: 148, reaction: 'caller' }, // addition
  TOO_MANY_ENTRIES: { code: 149, reaction: 'caller' }, // addition
  UNFIT_AUTHORITY: { code: 150, reaction: 'caller' }, // addition
  NO_DECIDER: { code: 151, reaction: 'caller' }, // addition
  AUTHORITY_IN_USE: { code: 152, reaction: 'caller' }, // addition
  NO_LICENSE_LEFT: { code: 160, reaction: 'caller' },
  OTHER_PC: { code: 161, reaction: 'caller' },
  DEVICE_REMOVED: { code: 162, reaction: 'caller' },
  REQUEST_STATE: { code: 170, reaction: 'caller' },
  UPLOAD_OFFSET: { code: 171, reaction: 'caller' }, // addition
  UPLOAD_MISMATCH: { code: 172, reaction: 'caller' }, // addition
  NO_PREVIEW: { code: 173, reaction: 'caller' }, // addition
  DOWNLOADS_USED: { code: 175, reaction: 'caller' }, // addition
  URGENT_REFUSED: { code: 174, reaction: 'caller' }, // addition
  LOGIN_TYPE_REFUSED: { code: 180, reaction: 'caller' },
  CLIENT_REQUIRED: { code: 181, reaction: 'caller' },
  SSO_REFUSED: { code: 182, reaction: 'caller' },
  SSO_UNAVAILABLE: { code: 183, reaction: 'caller' }, // addition
  SSO_INCOMPLETE: { code: 184, reaction: 'caller' }, // addition
  ABSENCE_PERIOD: { code: 190, reaction: 'caller' }, // addition
  ABSENCE_OVERLAP: { code: 191, reaction: 'caller' }, // addition
  SUBSTITUTE_REFUSED: { code: 192, reaction: 'caller' }, // addition
  SUBSTITUTION_CIRCLE: { code: 193, reaction: 'caller' }, // addition
  // An addition, the one error that comes with its HTTP status. Other responses with 503 have no name.
  SERVER_BUSY: { code: 503, reaction: 'dialog' },
  NO_SESSION: { code: 960, reaction: 'reload' },
  SESSION_EXPIRED: { code: 961, reaction: 'reload' },
  SESSION_ENDED: { code: 962, reaction: 'reload' },
  NOT_ALLOWED: { code: 980, reaction: 'dialog' },
  GROUP_RIGHTS_CHANGED: { code: 982, reaction: 'groups' },
  INVALID_INPUT: { code: 983, reaction: 'dialog' },
  CHANGED_MEANWHILE: { code: 984, reaction: 'caller' },
  LICENSE_FAILED: { code: 985, reaction: 'caller' },
  INVALID_LICENSE: { code: 986, reaction: 'caller' },
  INVALID_CLIENT_FILE: { code: 987, reaction: 'caller' },
  INVALID_IMAGE: { code: 988, reaction: 'caller' },
  STORAGE_UNAVAILABLE: { code: 989, reaction: 'dialog' }, // addition
  MAIL_SERVER_FAILED: { code: 995, reaction: 'caller' },
  MAIL_FAILED: { code: 996, reaction: 'caller' },
  TEST_MAIL_FAILED: { code: 997, reaction: 'caller' },
  SYNC_FAILED: { code: 998, reaction: 'caller' },
  // `isListed`: only calls that list the error return it, independently of how the console handles it.
} as const satisfies Record<string, { code: number; reaction: Reaction; isListed?: true }>

export type ErrorName = keyof typeof ERRORS
/**
 * The sentences of a language. The last four names: no connection, server not ready, server failure, and NOT_ALLOWED as
 * administrators read it. Each language is a module of its own, so that a browser loads only one.
 */
export type ErrorTexts = Readonly<Record<ErrorName | 'network' | 'unavailable' | 'server' | 'removed', string>>

/** Errors that any call may return besides those its route lists: from the access check, the schemas and the limits. */
export type CommonError = {
  [K in ErrorName]: (typeof ERRORS)[K] extends { reaction: 'caller' } | { isListed: true } ? never : K
}[ErrorName]

/** Errors that follow from a route's access: the account behind a session, the device behind a client's token. */
const ACCESS_ERRORS = {
  session: ['ACCOUNT_EXPIRED'],
  agent: ['ACCOUNT_EXPIRED', 'DEVICE_REMOVED'],
  bimServer: [],
} as const satisfies Record<string, readonly ErrorName[]>

type AccessErrors<A> = A extends 'public'
  ? never
  : A extends 'agent' | 'bimServer'
    ? (typeof ACCESS_ERRORS)[A][number]
    : (typeof ACCESS_ERRORS.session)[number]

/** Every error that a route can return: its own, those of its access and the common ones. */
export type ErrorsOf<R> = R extends { access: infer A; errors: readonly (infer E extends ErrorName)[] }
  ? E | AccessErrors<A> | CommonError
  : never

/** The errors of a route that are not common to all calls: its own and those that follow from its access. */
export function errorsOf(route: { access: unknown; errors: readonly ErrorName[] }): readonly ErrorName[] {
  if (route.access === 'public') return route.errors
  const caller = route.access === 'agent' || route.access === 'bimServer' ? route.access : 'session'
  return [...route.errors, ...ACCESS_ERRORS[caller]]
}

/** Returns whether any call may return this error even if its route does not list it. */
export const isCommonError = (name: ErrorName): boolean =>
  ERRORS[name].reaction !== 'caller' && !('isListed' in ERRORS[name])

const BY_CODE: ReadonlyMap<number, ErrorName> = new Map(
  Object.entries(ERRORS).map(([name, { code }]) => [code, name as ErrorName]),
)

/** Returns the name of an error code, or undefined for codes outside the catalogue, such as an HTTP status. */
export const errorName = (code: number): ErrorName | undefined => BY_CODE.get(code)
