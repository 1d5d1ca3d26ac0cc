// The thread that evaluates custom password rules, so that an expression that runs long stops no call. Each evaluation has a
// limit of its own; an expression that reaches it is named in the answer.
import { createContext, Script } from 'node:vm'
import { parentPort } from 'node:worker_threads'

type CustomRule = { name: string; reg: string; isNegative: boolean }
export type RuleQuestion = { rules: readonly CustomRule[]; passwords: readonly string[]; milliseconds: number }
/** The first password that meets every rule, -1 if none does; or the rule that took too long. */
export type RuleAnswer = { index: number } | { slowRule: string }

const FIND = new Script(`
  passwords.findIndex((password) =>
    rules.every((rule) => {
      current.name = rule.name
      return new RegExp(rule.reg).test(password) !== rule.isNegative
    }),
  )
`)

/** The limit is in time by the clock: on a busy machine the thread may not run at all meanwhile, and is then given more. */
const MAX_TRIES = 5

function answerTo({ rules, passwords, milliseconds }: RuleQuestion): RuleAnswer {
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

parentPort?.on('message', (question: RuleQuestion) => parentPort?.postMessage(answerTo(question)))
