// The manuals as people get them: made once for each language and its facts, when somebody first asks.
import { once } from 'node:events'
import { Readable } from 'node:stream'
import { Worker } from 'node:worker_threads'
import type { PasswordRule } from '@acc/contract/configs'
import { DEFAULT_RULES, PASSWORD_PRESETS } from '@acc/contract/labels/passwordRules'
import type { Download, HtmlPage, Language } from '../../core/context.ts'
import type { Env } from '../../env.ts'
import type { PasswordRules } from '../credentials/passwordRules.ts'
import type { ManualFacts, ManualSource } from './manuals.source.ts'

const NONE = { ko: '없음', en: 'none' } as const

/** Names rules in the language of the manual; custom ones as they were typed. */
const namesOf = (rules: readonly PasswordRule[], language: Language): string =>
  rules.map(({ name, preset }) => (preset ? PASSWORD_PRESETS[preset][language] : name)).join(', ') || NONE[language]

const factsOf = (
  { runtime, maxLoginFails, sessionMinutes }: Env,
  language: Language,
  rules: PasswordRules,
): ManualFacts => ({
  clientName: runtime.product.clientName,
  serverName: runtime.product.serverName,
  maxLoginFails,
  sessionMinutes,
  requiredRules: namesOf(rules.positiveRules, language),
  forbiddenRules: namesOf(rules.negativeRules, language),
})

type Made<T> = { facts: string; result: Promise<T> }

/** Caches results by server, language and facts; failures are not cached. */
function cached<T>(make: (language: Language, facts: ManualFacts) => Promise<T>) {
  const made = new WeakMap<Env, Partial<Record<Language, Made<T>>>>()
  return (env: Env, language: Language, rules: PasswordRules): Promise<T> => {
    const kept = made.get(env) ?? {}
    made.set(env, kept)
    const values = factsOf(env, language, rules)
    const facts = JSON.stringify(values)
    const known = kept[language]
    if (known?.facts === facts) return known.result
    const result = make(language, values).catch((error: unknown) => {
      delete kept[language]
      throw error
    })
    kept[language] = { facts, result }
    return result
  }
}

const otpPage = cached(async (language, facts) => {
  const { renderPage } = await import('./manuals.page.ts')
  return renderPage({ name: 'otp', language, facts })
})

/** The OTP manual does not name password rules, which are not read for people who have not signed in. */
export const otpManual = (env: Env, language: Language): Promise<HtmlPage> => otpPage(env, language, DEFAULT_RULES)

/** Rendering takes a second of processor time: not in the thread that answers calls. */
const userManualBytes = cached(async (language, facts): Promise<Uint8Array> => {
  const workerData: ManualSource = { name: 'user', language, facts }
  const worker = new Worker(new URL('./manuals.worker.ts', import.meta.url), { workerData })
  const [bytes] = await once(worker, 'message')
  return bytes
})

const FILE_NAMES = { ko: '사용자 설명서', en: 'User manual' } as const

export async function userManual(env: Env, language: Language, rules: PasswordRules): Promise<Download> {
  const bytes = await userManualBytes(env, language, rules)
  return {
    fileName: `${env.runtime.product.short} ${FILE_NAMES[language]}.pdf`,
    size: bytes.length,
    stream: Readable.from([bytes]),
  }
}
