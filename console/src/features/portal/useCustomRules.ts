// Evaluates custom password rules in a worker with a deadline, so that no expression can freeze the page.
import { useEffect, useState } from 'react'
import type { CustomAnswer, CustomQuestion } from './customRules.worker.ts'
import { customExpressions, type Rules } from './judgePassword.ts'

const DEADLINE = 500
const NOTHING: ReadonlyMap<string, boolean> = new Map()

/** Returns which custom expressions match the password; those that are not evaluated (yet, or in time) are missing. */
export function useCustomRules(rules: Rules, password: string): ReadonlyMap<string, boolean> {
  const [answer, setAnswer] = useState<{ password: string; found: ReadonlyMap<string, boolean> }>()
  useEffect(() => {
    const regs = customExpressions(rules)
    if (regs.length === 0 || password === '') return
    const worker = new Worker(new URL('./customRules.worker.ts', import.meta.url), { type: 'module' })
    const deadline = setTimeout(() => worker.terminate(), DEADLINE)
    worker.addEventListener('message', ({ data }: MessageEvent<CustomAnswer>) => {
      setAnswer({ password: data.password, found: new Map(data.found) })
      clearTimeout(deadline)
      worker.terminate()
    })
    worker.postMessage({ password, regs } satisfies CustomQuestion)
    return () => {
      clearTimeout(deadline)
      worker.terminate()
    }
  }, [rules, password])
  return answer?.password === password ? answer.found : NOTHING
}
