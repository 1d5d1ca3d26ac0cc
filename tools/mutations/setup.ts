// Before each test file: switches its mutant on. While it runs: notes which mutants each test asks for, and skips the
// tests that no longer matter.
import { afterEach, beforeEach, expect, inject, vi } from 'vitest'
import { state } from './switch.ts'

/** What to do with a test file, by the number that its address ends with. */
export type Plan = {
  mutant?: number
  isStatic: boolean
  /** The last test that asks for the mutant; those after it are skipped. */
  last?: string
}

declare module 'vitest' {
  interface ProvidedContext {
    plans: Record<string, Plan>
  }
  interface TaskMeta {
    asked?: number[]
  }
}

const plan = inject('plans')[expect.getState().testPath?.split('?trial=')[1] ?? '']
state.on = plan?.mutant
state.asked.clear()
if (plan?.isStatic || state.isTainted) vi.resetModules()
state.isTainted = plan?.isStatic ?? false

let isOver = false
beforeEach(({ skip }) => skip(isOver))
afterEach(({ task }) => {
  task.meta.asked = [...state.asked]
  state.asked.clear()
  isOver ||= task.result?.state === 'fail' || expect.getState().currentTestName === plan?.last
})
