// The browser's thread for custom password rules. The page ends it when an expression runs long.
import { matches } from './judgePassword.ts'

export type CustomQuestion = { password: string; regs: readonly string[] }
export type CustomAnswer = { password: string; found: [reg: string, isMatch: boolean][] }

addEventListener('message', ({ data: { password, regs } }: MessageEvent<CustomQuestion>) => {
  const found = regs.flatMap((reg): CustomAnswer['found'] => {
    const isMatch = matches(reg, password)
    return isMatch === undefined ? [] : [[reg, isMatch]]
  })
  postMessage({ password, found } satisfies CustomAnswer)
})
