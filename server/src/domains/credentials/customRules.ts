// Password rules that administrators wrote as regular expressions. They run in a thread, one evaluation at a time, each
// with a deadline, so that no expression blocks the server.
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { PasswordRule } from '@acc/contract/configs'
import { busy } from '../../core/errors.ts'
import type { HandlerServices } from '../../core/services.ts'
import { openSlots } from '../../core/slots.ts'
import type { RuleInput, RuleResult } from './customRules.worker.ts'

/** Milliseconds for all rules together: of one password, and of candidates for a temporary one. */
const FOR_ONE = 50
const FOR_MANY = 250
/** Milliseconds, including its start, until the thread counts as stuck. */
const STUCK_AFTER = 2_000
/** Milliseconds that a password waits for its turn. Then the call ends with 503. */
const MAX_WAIT = 350
const MAX_WAITING = 256

const slots = openSlots(1, MAX_WAITING, () => busy('too many passwords to check'))
let worker: Worker | undefined

async function evaluate(input: RuleInput): Promise<RuleResult> {
  if (worker === undefined) {
    worker = new Worker(new URL('./customRules.worker.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: 64 },
    })
    worker.unref()
  }
  const running = worker
  try {
    const message = once(running, 'message', { signal: AbortSignal.timeout(STUCK_AFTER) })
    running.postMessage(input)
    const [answer]: RuleResult[] = await message
    return answer ?? { slowRule: '' }
  } catch {
    worker = undefined
    await running.terminate()
    return { slowRule: '' }
  }
}

type CustomRules = { positiveRules: readonly PasswordRule[]; negativeRules: readonly PasswordRule[] }

/** Returns the first password that meets the rules. Rules that exceed their time count as not met and are logged. */
export async function findMeeting(
  passwords: readonly string[],
  { positiveRules, negativeRules }: CustomRules,
  log: HandlerServices['log'] | undefined,
): Promise<string | undefined> {
  const rules = [
    ...positiveRules.map(({ name, reg }) => ({ name, reg, isNegative: false })),
    ...negativeRules.map(({ name, reg }) => ({ name, reg, isNegative: true })),
  ]
  const milliseconds = passwords.length === 1 ? FOR_ONE : FOR_MANY
  const arrival = performance.now()
  const answer = await slots.run(async () => {
    if (performance.now() - arrival > MAX_WAIT) busy('too many passwords to check')
    return evaluate({ rules, passwords, milliseconds })
  })
  if ('index' in answer) return passwords[answer.index]
  log?.warn({ rule: answer.slowRule }, 'a password rule took too long and counts as not met')
  return undefined
}
