// acc-client request: requests an export or import and uploads the files, or continues an incomplete request.

import { MAX_FILES, MAX_PURPOSE, requestPurpose } from '@acc/contract/core/fields'
import { isBlank } from '@acc/contract/core/hidden'
import { RequestState, Transfer } from '@acc/contract/labels/requests'
import { URGENT_REASON, urgentReason } from '@acc/contract/requestInputs'
import { acceptsFiles } from '@acc/contract/requestState'
import type { OwnRequest } from '@acc/contract/requests'
import { isPassing, keepAlive } from '../connection.ts'
import { type Context, signedIn } from '../context.ts'
import { Advised, answered, ClientError, interrupted, isAnswer, localError, usageError } from '../errors.ts'
import { type LocalFile, readLocalFile } from '../localFiles.ts'
import { defineCommand, idxOf } from '../options.ts'
import { pairUp, requestLines } from '../requests.ts'
import { startPatience } from '../retry.ts'
import { findRequest, type TransferContext, type Upload, uploadFile } from '../upload.ts'

type Options = { type?: string; purpose?: string; urgent?: string; resume?: string }
type NewRequest = { type: Transfer; purpose: string; urgent: string | undefined }
type Plan = NewRequest | { resume: number }

const TYPES: Readonly<Record<string, Transfer>> = { import: Transfer.IMPORT, export: Transfer.EXPORT }

export const request = defineCommand({
  options: {
    type: { type: 'string' },
    purpose: { type: 'string' },
    urgent: { type: 'string' },
    resume: { type: 'string' },
  },
  args: [1, Number.POSITIVE_INFINITY],
  async run(context, options, paths) {
    const plan = planOf(options)
    if (paths.length > MAX_FILES) throw usageError((texts) => texts.tooManyFiles(MAX_FILES))
    const { calls, session } = await signedIn(context)
    const transfer = { calls, signal: context.signal, progress: context.progress }
    const done = await keepAlive(calls, session, async () => {
      const files = await readAll(context, paths)
      const { idx, uploads } =
        'resume' in plan ? await findRest(transfer, plan.resume, files) : await createRequest(transfer, plan, files)
      await uploadAll(transfer, idx, uploads)
      return findUploaded(transfer, idx)
    })
    const isUnneeded = options.urgent !== undefined && done.urgentReason === null && done.state === RequestState.ALLOWED
    const notes = isUnneeded ? [context.texts.urgentUnneeded] : []
    return { document: done, lines: [...requestLines(done, context.texts), ...notes] }
  },
})

/** A new request, or the rest of one, by the options. */
function planOf({ type, purpose, urgent, resume }: Options): Plan {
  if (resume !== undefined) {
    if (type !== undefined || purpose !== undefined || urgent !== undefined)
      throw usageError((texts) => texts.resumeAlone)
    return { resume: idxOf(resume) }
  }
  const direction = TYPES[type ?? 'export']
  if (direction === undefined) throw usageError((texts) => texts.badType(type ?? ''))
  if (purpose === undefined || isBlank(purpose)) throw usageError((texts) => texts.purposeMissing)
  // Checked before files are read for minutes.
  if (!requestPurpose.safeParse(purpose).success) throw usageError((texts) => texts.badPurpose(MAX_PURPOSE))
  if (urgent !== undefined) requireUrgent(direction, urgent)
  return { type: direction, purpose, urgent }
}

function requireUrgent(direction: Transfer, reason: string): void {
  if (direction === Transfer.IMPORT) throw usageError((texts) => texts.urgentImport)
  const { min, max } = URGENT_REASON
  if (!urgentReason.safeParse(reason).success) throw usageError((texts) => texts.badUrgent(min, max))
}

async function readAll({ texts, progress, signal }: Context, paths: string[]): Promise<LocalFile[]> {
  const files: LocalFile[] = []
  for (const path of paths) {
    progress.start(texts.hashing(path))
    files.push(
      await readLocalFile(path, (done, size) => {
        signal.throwIfAborted()
        progress.reach(done, size)
      }),
    )
  }
  return files
}

type Uploads = { idx: number; uploads: Upload[] }

async function createRequest(
  { calls, signal }: TransferContext,
  { type, purpose, urgent }: NewRequest,
  locals: LocalFile[],
): Promise<Uploads> {
  const files = locals.map(({ name, size, sha256 }) => ({ name, size, sha256 }))
  const made = await calls.requests
    .create({ type, purpose, urgentReason: urgent, files }, { signal })
    .catch((error: unknown) => {
      if (urgent === undefined || !isAnswer(error, 'NOT_ALLOWED')) throw error
      throw new Advised(error, (texts) => texts.urgentRefused)
    })
  return { idx: made.idx, uploads: pairUp(made.idx, made.files, locals).uploads }
}

async function findRest(transfer: TransferContext, idx: number, locals: LocalFile[]): Promise<Uploads> {
  const found = await findRequest(transfer, idx)
  if (!acceptsFiles(found)) throw answered('REQUEST_STATE')
  if (found.isFileUploaded === 1) throw localError((texts) => texts.nothingToResume(idx))
  const { uploads, strangers } = pairUp(idx, found.files, locals)
  const [stranger] = strangers
  if (stranger !== undefined) throw localError((texts) => texts.notOfRequest(stranger.path, idx))
  return { idx, uploads }
}

async function uploadAll(transfer: TransferContext, idx: number, uploads: Upload[]): Promise<void> {
  for (const upload of uploads) {
    try {
      await uploadFile(transfer, upload)
    } catch (error) {
      throw advised(transfer.signal.aborted ? interrupted() : error, idx)
    }
  }
}

/** Returns the uploaded request. Retries as during the upload if the server stopped right after the last byte. */
async function findUploaded(transfer: TransferContext, idx: number): Promise<OwnRequest> {
  const patience = startPatience(transfer.signal)
  try {
    for (;;) {
      try {
        return await findRequest(transfer, idx)
      } catch (error) {
        if (!isPassing(error) || !(await patience.waitForRetry())) throw error
      }
    }
  } catch (error) {
    throw new Advised(transfer.signal.aborted ? interrupted() : error, (texts) => texts.statusAdvice(idx))
  }
}

/** Adds advice about the created request to an error. */
function advised(error: unknown, idx: number): unknown {
  if (isAnswer(error, 'REQUEST_STATE', 'NOT_ALLOWED')) return error
  // The last bytes may have arrived although their response was lost.
  if (isPassing(error)) return new Advised(error, (texts) => texts.statusAdvice(idx))
  const isFileAtFault = error instanceof ClientError && error.kind === 'local'
  if (isFileAtFault || isAnswer(error, 'UPLOAD_MISMATCH')) return new Advised(error, (t) => t.changedAdvice(idx))
  return new Advised(error, (texts) => texts.resumeAdvice(idx))
}
