// The session checker (S1 section 4): looks every second whether the session has run out, which it has `minutes` and 10
// seconds after the last reply. It asks the server now and then, which does not keep the session alive; other calls do.
import { type Session, session as sessionApi } from '@acc/contract/session'
import { call, onReply } from '../kit/call.ts'
import { tell } from '../kit/dialogs.tsx'
import { claim, endsPage } from '../kit/errors.ts'
import { text } from '../kit/texts.ts'
import { appTexts } from './app.texts.ts'
import { expiryOf } from './sessionExpiry.ts'

const LOOK = 1000
/** Between two questions to the server; other tabs may have used the session meanwhile. */
const ASK = 60_000

/** These are answered without a use of the session. */
const IDLE_PATHS: ReadonlySet<string> = new Set([sessionApi.read.path, '/Configs', '/Events'])

type Choices = { minutes: number; onSession: (session: Session) => void }

export function checkSession({ minutes, onSession }: Choices) {
  let lastUse = Date.now()
  let told = 0
  let asked = Date.now()
  let hasExpired = false

  const expire = async () => {
    hasExpired = true
    await tell({ title: text(appTexts, 'expiredTitle'), body: text(appTexts, 'expiredBody') })
    location.reload()
  }
  const ask = async () => {
    asked = Date.now()
    try {
      const session = await call(sessionApi.read, {})
      told = Date.parse(session.sessionExpireDT)
      onSession(session)
    } catch (error) {
      // A session that is gone is told by the global handler; a server out of reach will be asked again.
      if (!endsPage(error)) claim(error)
    }
  }
  const look = async () => {
    if (hasExpired) return
    const now = Date.now()
    const isOver = now > expiryOf(lastUse, minutes, told)
    if (isOver && now - asked > ASK / 2) await ask()
    else if (now - asked > ASK) await ask()
    if (!hasExpired && Date.now() > expiryOf(lastUse, minutes, told)) await expire()
  }

  const stopListening = onReply(({ path, status }) => {
    if (status < 500 && !IDLE_PATHS.has(path)) lastUse = Date.now()
  })
  const timer = setInterval(() => void look(), LOOK)
  const wake = () => {
    if (document.visibilityState === 'visible') void look()
  }
  document.addEventListener('visibilitychange', wake)
  return {
    askNow: () => void ask(),
    stop: () => {
      clearInterval(timer)
      stopListening()
      document.removeEventListener('visibilitychange', wake)
    },
  }
}
