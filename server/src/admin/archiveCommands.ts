// Restores from a WAL archive for the operator.
import { formatBytes } from '@acc/contract/labels/formats'
import { z } from 'zod'
import type { BackupKey } from '../backup/key.ts'
import { findSecretKey } from '../crypto/secretKey.ts'
import { type Env, secretKeySource } from '../env.ts'
import type { LostFile } from '../walArchive/restoredFiles.ts'
import { type Result, usageError } from './commandLine.ts'
import { keptSince } from './historyCommands.ts'
import { operator } from './operator.ts'

/** Lost files that a terminal shows; --json has all of them. */
const SHOWN = 20

function momentOf(text: string | undefined): Date | undefined {
  if (text === undefined) return undefined
  const { success } = z.iso.datetime({ offset: true }).safeParse(text)
  if (!success) throw usageError('--until takes a moment with its time zone, as 2026-11-22T10:00:00Z.')
  return new Date(text)
}

function linesOfLost(lost: readonly LostFile[]): string[] {
  if (lost.length === 0) return []
  return [
    `Without their bytes, which are not in the archive as they were (${lost.length}):`,
    ...lost.slice(0, SHOWN).map(({ of, fileName, reason }) => `  ${of}: ${fileName} (${reason})`),
    ...(lost.length > SHOWN ? [`  and ${lost.length - SHOWN} more, which --json lists`] : []),
  ]
}

type Order = { from: string; until: string | undefined; key: BackupKey }

export async function restoreFromArchive(env: Env, { from: root, until, key }: Order): Promise<Result> {
  const moment = momentOf(until)
  const { restoreArchive } = await import('../walArchive/restoreArchive.ts')
  const secretKey = await findSecretKey(secretKeySource(env))
  const order = { root, until: moment, key, place: env, author: operator(), secretKey, keptSince: keptSince(env) }
  const { base, throughDT, files, sealed, secretKeyFingerprint } = await restoreArchive(order)
  const { count, size, lost } = files
  const lines = [
    `Restored ${root}`,
    `  Until      ${throughDT.toISOString()}, from base backup ${base}`,
    `  Files      ${count}, ${formatBytes(size)}`,
    sealed === null
      ? '  History    its seals were not verified, and files by their length only: that takes the secret key'
      : `  History    ${sealed} rows are as they were sealed`,
    `  Secret key ${secretKeyFingerprint}: the server starts with this key only`,
    'Sessions, tokens and temporary passwords of then are void; mail that waited is not sent.',
    ...linesOfLost(lost),
  ]
  return { document: { base, throughDT: throughDT.toISOString(), files, sealed, secretKeyFingerprint }, lines }
}
