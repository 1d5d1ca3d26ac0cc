// Passwords at rest: argon2id, 19 MiB, two passes, one lane (OWASP Password Storage Cheat Sheet). Hashing runs on Node's
// thread pool behind a queue with a bound, so that a flood of sign-ins cannot starve the other calls.
import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import { busy } from '../../core/errors.ts'
import { openSlots } from '../../core/slots.ts'

// The library's default algorithm is argon2id.
const OPTIONS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

// One more than there are cores: while one waits for the database, another hashes. Still more would only wait for a core.
export const AT_ONCE = availableParallelism() + 1
/** Maximum queue length; beyond it the server answers 503. */
export const MAX_WAITING = 256

const slots = openSlots(AT_ONCE, MAX_WAITING, () => busy('too many passwords to hash'))

/** Runs hashing work under a concurrency limit. Throws NotReady at once if too many wait. */
export const withHashingSlot = <T>(work: () => Promise<T>): Promise<T> => slots.run(work)

let hashes = 0
/** Passwords hashed or compared by this process since its start. */
export const hashesSoFar = (): number => hashes

export const hashPassword = (text: string): Promise<string> =>
  withHashingSlot(() => {
    hashes++
    return hash(text, OPTIONS)
  })

// Compared if the account has no hash, so that the timing is the same.
const placeholder = hash('no account has this password', OPTIONS)

/** Whether the text is the hashed password. A null hash costs as much and never matches. Call it in a hashing slot only. */
export async function matchesHash(hashed: string | null, text: string): Promise<boolean> {
  hashes++
  const isRight = await verify(hashed ?? (await placeholder), text)
  return isRight && hashed !== null
}
