// Custom password rules: expressions that administrators wrote. They run in a thread of their own, one evaluation at a time,
// each with a deadline, so that no expression can hold the server up.
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { PasswordRule } from '@acc/contract/configs'
import { busy } from '../../core/errors.ts'
import type { HandlerServices } from '../../core/services.ts'
import { openSlots } from '../../core/slots.ts'
import type { RuleAnswer, RuleQuestion } from './customRules.worker.ts'

/** Milliseconds for all rules together: of one password, and of candidates for a temporary one. */
const FOR_ONE = 50
const FOR_MANY = 250
/** Milliseconds until the thread itself counts as stuck; its start is included. */
const STUCK = 2_000
/** Milliseconds that a password waits for its turn; then the call ends with 503. */
const PATIENCE = 350
const MAX_WAITING = 256

const turns = openSlots(1, MAX_WAITING, () => busy('too many passwords to judge'))
let worker: Worker | undefined

async function ask(question: RuleQuestion): Promise<RuleAnswer> {
  if (worker === undefined) {
    worker = new Worker(new URL('./customRules.worker.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: 64 },
    })
    worker.unref()
  }
  const asked = worker
  try {
    const answered = once(asked, 'message', { signal: AbortSignal.timeout(STUCK) })
    asked.postMessage(question)
    const [answer]: RuleAnswer[] = await answered
    return answer ?? { slowRule: '' }
  } catch {
    worker = undefined
    await asked.terminate()
    return { slowRule: '' }
  }
}

export type CustomRules = { positiveRules: readonly PasswordRule[]; negativeRules: readonly PasswordRule[] }

/**
 * Returns the first of some passwords that meets the rules. Rules that do not come to an end in time count as not met, and
 * are logged.
 */
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
  const answer = await turns.run(async () => {
    if (performance.now() - arrival > PATIENCE) busy('too many passwords to judge')
    return ask({ rules, passwords, milliseconds })
  })
  if ('index' in answer) return passwords[answer.index]
  log?.warn({ rule: answer.slowRule }, 'a password rule took too long and counts as not met')
  return undefined
}
