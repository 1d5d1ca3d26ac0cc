// The manuals as people get them: made once for each language, when somebody first asks.
import { once } from 'node:events'
import { Readable } from 'node:stream'
import { Worker } from 'node:worker_threads'
import type { Download, HtmlPage, Language } from '../../core/context.ts'
import type { Env } from '../../env.ts'
import type { ManualFacts, ManualSource } from './manuals.source.ts'

const factsOf = ({ runtime, maxLoginFails, maxOtpFails, sessionMinutes }: Env): ManualFacts => ({
  clientName: runtime.product.clientName,
  serverName: runtime.product.serverName,
  maxLoginFails,
  maxOtpFails,
  sessionMinutes,
})

/** Keeps what was made for a server and a language; a failure is tried again. */
function madeOnce<T>(make: (env: Env, language: Language) => Promise<T>) {
  const made = new WeakMap<Env, Partial<Record<Language, Promise<T>>>>()
  return (env: Env, language: Language): Promise<T> => {
    const kept = made.get(env) ?? {}
    made.set(env, kept)
    kept[language] ??= make(env, language).catch((error: unknown) => {
      delete kept[language]
      throw error
    })
    return kept[language]
  }
}

export const otpManual: (env: Env, language: Language) => Promise<HtmlPage> = madeOnce(async (env, language) => {
  const { renderPage } = await import('./manuals.page.ts')
  return renderPage({ name: 'otp', language, facts: factsOf(env) })
})

/** Rendering takes a second of processor time: not in the thread that answers calls. */
const userManualBytes = madeOnce(async (env, language): Promise<Uint8Array> => {
  const workerData: ManualSource = { name: 'user', language, facts: factsOf(env) }
  const worker = new Worker(new URL('./manuals.worker.ts', import.meta.url), { workerData })
  const [bytes] = await once(worker, 'message')
  return bytes
})

const FILE_NAMES = { ko: '사용자 설명서', en: 'User manual' } as const

export async function userManual(env: Env, language: Language): Promise<Download> {
  const bytes = await userManualBytes(env, language)
  return {
    fileName: `${env.runtime.product.short} ${FILE_NAMES[language]}.pdf`,
    size: bytes.length,
    stream: Readable.from([bytes]),
  }
}
