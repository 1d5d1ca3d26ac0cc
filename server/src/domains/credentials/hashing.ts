// Passwords at rest: argon2id, 19 MiB, two passes, one lane (OWASP Password Storage Cheat Sheet). Hashing runs on
// Node's thread pool behind a bounded queue, and gives way to other calls (docs/decisions/26-limits.md).
import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import { busyFailure } from '../../core/errors.ts'
import { loopDelay } from '../../core/loopDelay.ts'
import { networkOf } from '../../core/networks.ts'

// The library's default algorithm is argon2id.
const OPTIONS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Passwords hashed at once: one more than there are cores, since one of them may wait for the database. */
export const AT_ONCE = availableParallelism() + 1
/** Average delay of the event loop, in milliseconds, above which one password is hashed at a time. */
export const MAX_DELAY = 50
/** Maximum queue length; beyond it sign-ins are refused. */
export const MAX_WAITING = 256

type Waiting = { network: string | undefined; start(): void; refuse(): void }
const waiting: Waiting[] = []
let running = 0

function startNext(): void {
  while (running < (loopDelay() > MAX_DELAY ? 1 : AT_ONCE)) {
    const next = waiting.shift()
    if (next === undefined) return
    running++
    next.start()
  }
}

/** Refuses the newest sign-in of the network that has the most of them, so that no network displaces another one. */
function refuseOne(): void {
  const networks = Map.groupBy(waiting, ({ network }) => network)
  networks.delete(undefined)
  const [largest = []] = [...networks.values()].sort((one, other) => other.length - one.length)
  const refused = largest.at(-1)
  if (refused === undefined) return
  waiting.splice(waiting.indexOf(refused), 1)
  refused.refuse()
}

let refusals = 0
/** Sign-ins that this process has refused since its start because too many waited. */
export const refusedSoFar = (): number => refusals

/** Runs hashing work in its turn. Work for a caller with an IP address may be refused (503) before it begins. */
export async function withHashingSlot<T>(work: () => Promise<T>, ip?: string): Promise<T> {
  await new Promise<void>((start, reject) => {
    const refuse = () => {
      refusals++
      reject(busyFailure('too many passwords to hash'))
    }
    waiting.push({ network: ip === undefined ? undefined : networkOf(ip), start, refuse })
    startNext()
    if (waiting.length > MAX_WAITING) refuseOne()
  })
  try {
    return await work()
  } finally {
    running--
    startNext()
  }
}

let hashes = 0
/** Passwords hashed or compared by this process since its start. */
export const hashesSoFar = (): number => hashes

export const hashPassword = (text: string, ip?: string): Promise<string> =>
  withHashingSlot(() => {
    hashes++
    return hash(text, OPTIONS)
  }, ip)

// Compared if the account has no hash, so that the timing is the same.
const placeholder = hash('no account has this password', OPTIONS)

/** Returns whether the text is the hashed password. A null hash costs as much. Call it in a hashing slot only. */
export async function matchesHash(hashed: string | null, text: string): Promise<boolean> {
  hashes++
  const isRight = await verify(hashed ?? (await placeholder), text)
  return isRight && hashed !== null
}
