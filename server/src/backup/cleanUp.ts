// Cleans up after restoring and verifying.
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { BackupError } from './errors.ts'
import { unusable } from './sealedStream.ts'

/** Runs work and then every clean-up, even if one fails. Throws the first failure. */
export async function withCleanUp<T>(work: () => Promise<T>, cleanUps: readonly (() => unknown)[]): Promise<T> {
  const [outcome] = await Promise.allSettled([work()])
  const failures: unknown[] = []
  for (const cleanUp of cleanUps)
    await Promise.resolve()
      .then(cleanUp)
      .catch((error: unknown) => failures.push(error))
  if (outcome.status === 'rejected') throw failures.length === 0 ? outcome.reason : bothOf(outcome.reason, failures[0])
  if (failures.length > 0) throw failures[0]
  return outcome.value
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

const bothOf = (first: unknown, left: unknown) =>
  new BackupError(`${messageOf(first)} What was written so far could not be removed (${messageOf(left)}).`, {
    cause: first,
  })

/** Verifies in a temporary folder below `folder`, and removes it. */
export async function inTemporaryFolder<T>(folder: string, work: (place: string) => Promise<T>): Promise<T> {
  try {
    const place = await mkdtemp(join(folder, 'acc-verify-'))
    return await withCleanUp(() => work(place), [() => rm(place, { recursive: true, force: true })])
  } catch (error) {
    throw unusable(folder, error)
  }
}
