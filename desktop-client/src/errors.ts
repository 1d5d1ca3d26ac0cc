// Errors that end a command without an error response: a wrong command line, a problem with local files, or Ctrl-C. An
// error carries its message in every language; main.ts prints it.
import { ApiError, COMMUNICATION_FAILURE } from '@acc/contract/core/client'
import { ERRORS, type ErrorName } from '@acc/contract/core/errors'
import type { Language } from '@acc/contract/labels/enumOf'
import { ERROR_TEXTS } from './errors.texts.ts'
import { TEXTS, type Texts } from './texts.ts'

type Message = (texts: Texts) => string

/** The exit statuses of `acc-client`. */
export const ExitStatus = { OK: 0, ERROR: 1, USAGE: 2, NETWORK: 3, INTERRUPTED: 130 } as const
export type ExitStatus = (typeof ExitStatus)[keyof typeof ExitStatus]

/** A command that failed on the client's side. */
export class ClientError extends Error {
  override readonly name = 'ClientError'
  readonly kind: 'usage' | 'local' | 'interrupted'
  readonly messageOf: Message
  constructor(kind: 'usage' | 'local' | 'interrupted', messageOf: Message) {
    super(messageOf(TEXTS.en))
    this.kind = kind
    this.messageOf = messageOf
  }
}

/** Another error with advice on what to do next. */
export class Advised extends Error {
  override readonly name = 'Advised'
  readonly advice: Message
  constructor(cause: unknown, advice: Message) {
    super(cause instanceof Error ? cause.message : String(cause), { cause })
    this.advice = advice
  }
}

export const usageError = (messageOf: Message): ClientError => new ClientError('usage', messageOf)
export const localError = (messageOf: Message): ClientError => new ClientError('local', messageOf)
export const interrupted = (): ClientError => new ClientError('interrupted', (texts) => texts.interrupted)

/** The error that the server would answer, where the client knows it beforehand. */
export const answered = (name: ErrorName): ApiError => new ApiError('server', ERRORS[name].code, name)

/** Whether the server answered with this error of the catalogue. */
export const isAnswer = (error: unknown, ...names: ErrorName[]): error is ApiError =>
  error instanceof ApiError && error.error !== undefined && names.includes(error.error)

/** Whether the server could not be reached. */
export const isUnreachable = (error: unknown): boolean =>
  error instanceof ApiError && error.type !== 'server' && error.code === COMMUNICATION_FAILURE

/** Whether this is an error of the operating system: a missing file, a full disk. */
export const isSystemError = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && 'syscall' in error && 'code' in error

export type Report = { errorCode: number; message: string; status: ExitStatus }

const CLIENT_ERRORS = {
  usage: { errorCode: ERRORS.INVALID_INPUT.code, status: ExitStatus.USAGE },
  local: { errorCode: COMMUNICATION_FAILURE, status: ExitStatus.ERROR },
  interrupted: { errorCode: COMMUNICATION_FAILURE, status: ExitStatus.INTERRUPTED },
} as const

/** The message of an error, and the exit status of the process. */
export function reportOf(error: unknown, language: Language): Report {
  const texts = TEXTS[language]
  if (error instanceof Advised) {
    const report = reportOf(error.cause, language)
    return { ...report, message: `${report.message}\n${error.advice(texts)}` }
  }
  if (error instanceof ClientError) return { ...CLIENT_ERRORS[error.kind], message: error.messageOf(texts) }
  if (error instanceof ApiError) return reportAnswer(error, language)
  if (isSystemError(error) && error.path !== undefined) {
    const message = texts.fileFault(error.path, texts.reasons[error.code ?? ''] ?? error.message)
    return { errorCode: COMMUNICATION_FAILURE, message, status: ExitStatus.ERROR }
  }
  const message = error instanceof Error ? error.message : String(error)
  return { errorCode: COMMUNICATION_FAILURE, message, status: ExitStatus.ERROR }
}

function reportAnswer(error: ApiError, language: Language): Report {
  const texts = TEXTS[language]
  if (error.type !== 'server')
    return { errorCode: error.code, message: networkText(error, texts), status: ExitStatus.NETWORK }
  const known = error.error === undefined ? undefined : ERROR_TEXTS[language][error.error]
  const message = [known ?? texts.unknownAnswer(error.code, error.message), detailOf(error.data, texts)]
  return { errorCode: error.code, message: message.filter(Boolean).join(' '), status: ExitStatus.ERROR }
}

function networkText(error: ApiError, texts: Texts): string {
  if (error.code === COMMUNICATION_FAILURE) return texts.unreachable
  if (error.code === 503) return texts.notReady
  return texts.httpStatus(error.code, error.message)
}

/** Returns the details of an error response: when to retry, why it is refused, or which fields are invalid. */
function detailOf(data: unknown, texts: Texts): string {
  if (typeof data !== 'object' || data === null) return ''
  if ('retryAfter' in data && typeof data.retryAfter === 'number') return texts.retryAfter(data.retryAfter)
  if ('reason' in data && typeof data.reason === 'string') return texts.refusals[data.reason] ?? ''
  if ('fields' in data && Array.isArray(data.fields)) return `(${data.fields.join(', ')})`
  return ''
}
