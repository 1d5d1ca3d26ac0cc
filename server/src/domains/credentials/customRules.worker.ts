// The thread that evaluates custom password rules. Each evaluation has a time limit; the result names a rule that
// exceeds it.
import { createContext, Script } from 'node:vm'
import { parentPort } from 'node:worker_threads'

type CustomRule = { name: string; reg: string; isNegative: boolean }
export type RuleInput = { rules: readonly CustomRule[]; passwords: readonly string[]; milliseconds: number }
/** The first password that meets every rule, -1 if none does; or the rule that took too long. */
export type RuleResult = { index: number } | { slowRule: string }

const FIND = new Script(`
  passwords.findIndex((password) =>
    rules.every((rule) => {
      current.name = rule.name
      return new RegExp(rule.reg).test(password) !== rule.isNegative
    }),
  )
`)

/** The limit is wall-clock time. On a busy machine the thread may not run at all in it, and then gets more tries. */
const MAX_TRIES = 5

function evaluate({ rules, passwords, milliseconds }: RuleInput): RuleResult {
  const current = { name: '' }
  const context = createContext({ rules, passwords, current })
  for (let tries = 1; ; tries++) {
    const before = process.threadCpuUsage()
    try {
      return { index: Number(FIND.runInContext(context, { timeout: milliseconds })) }
    } catch {
      const { user, system } = process.threadCpuUsage(before)
      const hasRun = (user + system) / 1000 > milliseconds / 2
      if (hasRun || tries === MAX_TRIES) return { slowRule: current.name }
    }
  }
}

parentPort?.on('message', (input: RuleInput) => parentPort?.postMessage(evaluate(input)))
