// Passwords at rest: argon2id. Hashing runs in threads of low priority behind a bounded queue, so that it gives way to
// other calls (docs/decisions/26-limits.md).
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { performance } from 'node:perf_hooks'
import { Worker } from 'node:worker_threads'
import { busyFailure } from '../../core/errors.ts'
import { networkOf } from '../../core/networks.ts'

/** Sign-ins evaluated at once: one more than there are cores, since one of them may wait for the database. */
export const AT_ONCE = availableParallelism() + 1
/** The event loop counts as busy above this share of time, measured over at least `WINDOW` milliseconds. */
const BUSY = 0.9
const WINDOW = 100
/** Milliseconds after which waiting sign-ins are tried once more. */
const RETRY = 20
/** While the event loop is busy, a sign-in begins only so many milliseconds after the previous one. */
const PAUSE = 100
/** Maximum queue length, up to 13 seconds on two busy cores; beyond it sign-ins are refused. */
export const MAX_WAITING = 64 * availableParallelism()

type Waiting = { network: string | undefined; start(): void; refuse(): void }
const waiting: Waiting[] = []
let running = 0

let measured = { use: performance.eventLoopUtilization(), at: performance.now() }
let isBusy = false

/** Measures whether the event loop has had little rest since the last measurement. Other calls are late then. */
function measureEventLoop(): void {
  const now = performance.now()
  if (now - measured.at < WINDOW) return
  const use = performance.eventLoopUtilization()
  isBusy = performance.eventLoopUtilization(use, measured.use).utilization > BUSY
  measured = { use, at: now }
}

let lastStart = 0
let timer: NodeJS.Timeout | undefined

/** Work that nobody may refuse begins at once. */
const mayStart = ({ network }: Waiting) => network === undefined || !isBusy || performance.now() - lastStart >= PAUSE

function startNext(): void {
  clearTimeout(timer)
  measureEventLoop()
  while (running < AT_ONCE) {
    const at = waiting.findIndex(mayStart)
    const [next] = at < 0 ? [] : waiting.splice(at, 1)
    if (next === undefined) break
    if (next.network !== undefined) lastStart = performance.now()
    running++
    next.start()
  }
  if (waiting.length > 0 && running < AT_ONCE) timer = setTimeout(startNext, RETRY)
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

/** Niceness: a third of the processor time that a usual thread gets next to it. More would starve on a busy machine. */
export const LOW_PRIORITY = 5
/** Hashes `text`, or compares it with a hash. */
type HashingTask = { text: string; hashed?: string }
type HashingResult = { hash: string } | { isRight: boolean }

/** Threads without a task. */
const idle: Worker[] = []
const startWorker = () => new Worker(new URL('./hashing.worker.mjs', import.meta.url), { workerData: LOW_PRIORITY })

async function runTask(task: HashingTask): Promise<HashingResult> {
  const worker = idle.pop() ?? startWorker()
  // An idle thread does not keep the process alive.
  worker.ref()
  const message = once(worker, 'message')
  worker.postMessage(task)
  const [result]: HashingResult[] = await message
  worker.unref()
  idle.push(worker)
  if (result === undefined) throw new Error('no hash')
  return result
}

async function hash(text: string): Promise<string> {
  const result = await runTask({ text })
  return 'hash' in result ? result.hash : ''
}

let hashes = 0
/** Passwords hashed or compared by this process since its start. */
export const hashesSoFar = (): number => hashes

export const hashPassword = (text: string, ip?: string): Promise<string> =>
  withHashingSlot(() => {
    hashes++
    return hash(text)
  }, ip)

// Compared if the account has no hash, so that the timing is the same.
let placeholder: string | undefined

/** Returns whether the text is the hashed password. A null hash costs as much. Call it in a hashing slot only. */
export async function matchesHash(hashed: string | null, text: string): Promise<boolean> {
  hashes++
  placeholder ??= await hash('no account has this password')
  const result = await runTask({ text, hashed: hashed ?? placeholder })
  return 'isRight' in result && result.isRight && hashed !== null
}
