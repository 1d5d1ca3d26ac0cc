// acc-client download IDX: downloads the files of an approved request.
import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { uniqueFileNames } from '@acc/contract/core/fileName'
import { isBlocked, isReleased } from '@acc/contract/requestState'
import type { OwnRequest } from '@acc/contract/requests'
import { keepAlive } from '../connection.ts'
import { signedIn } from '../context.ts'
import { compareWithTarget, downloadFile } from '../download.ts'
import { Advised, answered, isAnswer, localError } from '../errors.ts'
import { defineCommand, idxOf } from '../options.ts'
import { findRequest, type RequestFile, type TransferContext } from '../upload.ts'

type Target = { file: RequestFile; path: string; found: 'nothing' | 'same' | 'other' }

export const download = defineCommand({
  options: { to: { type: 'string' }, force: { type: 'boolean' } },
  args: [1, 1],
  async run(context, { to = '.', force = false }, [text = '']) {
    const idx = idxOf(text)
    const { calls, session } = await signedIn(context)
    const transfer = { calls, signal: context.signal, progress: context.progress }
    const targets = await keepAlive(calls, session, async () => {
      const request = await findRequest(transfer, idx)
      if (!isReleased(request)) throw answered('REQUEST_STATE')
      if (isBlocked(request)) throw new Advised(answered('NOT_ALLOWED'), (texts) => texts.blocked)
      const found = await targetsOf(request, resolve(to), force)
      await saveAll(transfer, request, found, force)
      return found
    })
    const { texts } = context
    return {
      document: { idx, files: targets.map(describe) },
      lines: targets.map(({ path, found }) => (found === 'same' ? texts.alreadyThere(path) : texts.downloaded(path))),
    }
  },
})

const describe = ({ file, path, found }: Target) => ({
  idx: file.idx,
  fileName: file.fileName,
  path,
  fileSize: file.fileSize,
  sha256: file.sha256,
  isDownloaded: found === 'same' ? 0 : 1,
})

/** Returns the target of each file. Conflicts with existing files are reported before any download. */
async function targetsOf({ files }: OwnRequest, folder: string, isForced: boolean): Promise<Target[]> {
  await mkdir(folder, { recursive: true })
  const names = uniqueFileNames(files.map(({ fileName }) => fileName))
  const targets: Target[] = []
  for (const [at, file] of files.entries()) {
    const path = join(folder, names[at] ?? '')
    const found = await compareWithTarget(path, file)
    if (found === 'other' && !isForced) throw localError((texts) => texts.exists(path))
    targets.push({ file, path, found })
  }
  return targets
}

async function saveAll(
  transfer: TransferContext,
  { idx: fileEximport, maxDownloads }: OwnRequest,
  targets: Target[],
  isForced: boolean,
): Promise<void> {
  // Servers of the previous version name no limit.
  const isCounted = Boolean(maxDownloads)
  let refusal: unknown
  for (const { file, path } of targets.filter(({ found }) => found !== 'same')) {
    try {
      await downloadFile(transfer, { fileEximport, file, path, isForced, isCounted })
    } catch (error) {
      // Other files may be left.
      if (!isAnswer(error, 'DOWNLOADS_USED')) throw error
      refusal = error
    }
  }
  if (refusal !== undefined) throw refusal
}
