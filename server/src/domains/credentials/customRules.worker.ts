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

function answerTo({ rules, passwords, milliseconds }: RuleQuestion): RuleAnswer {
  const current = { name: '' }
  const context = createContext({ rules, passwords, current })
  try {
    return { index: Number(FIND.runInContext(context, { timeout: milliseconds })) }
  } catch {
    return { slowRule: current.name }
  }
}

parentPort?.on('message', (question: RuleQuestion) => parentPort?.postMessage(answerTo(question)))
