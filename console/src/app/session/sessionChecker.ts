// The session checker (S1 section 4): looks every second whether the session has run out, which it has `minutes` and 10
// seconds after the last reply. It asks the server now and then, which does not keep the session alive; other calls do.
import { api } from '@acc/contract'
import type { Route } from '@acc/contract/core/route'
import type { Session } from '@acc/contract/session'
import { call, lastReply } from '../../kit/api/call.ts'
import { endsPage, markHandled } from '../../kit/api/errors.ts'
import { showMessage } from '../../kit/dialogs/dialogs.tsx'
import { text } from '../../kit/texts/texts.ts'
import { appTexts } from '../shell/app.texts.ts'
import { reloadPage } from '../start/reloadPage.ts'
import { expiryOf } from './sessionExpiry.ts'

const LOOK = 1000
/** Between two questions to the server; other tabs may have used the session meanwhile. */
const ASK = 60_000

const usesSession = (route: Route) => route.access !== 'public' && !('slides' in route && route.slides === false)
/** How long before the end the warning is given. */
const WARNING = 60_000
/** Calls that do not extend the session. */
const IDLE_PATHS: ReadonlySet<string> = new Set(
  Object.values(api)
    .flatMap((routes): Route[] => Object.values(routes))
    .filter((route) => !usesSession(route))
    .map((route) => route.path),
)

type Choices = {
  minutes: number
  onSession: (session: Session) => void
  /** Called once, a minute before the session expires; again after it was used meanwhile. */
  onExpiring?: () => void
}

export function checkSession({ minutes, onSession, onExpiring }: Choices) {
  let isWarned = false
  let lastUse = Date.now()
  let told = 0
  let asked = Date.now()
  let isBusy = false
  let isGone = false

  const ask = async () => {
    asked = Date.now()
    try {
      const session = await call(api.session.read, {})
      told = Date.parse(session.sessionExpireDT)
      onSession(session)
    } catch (error) {
      // A session that is gone is told by the global handler; a server out of reach will be asked again.
      if (endsPage(error)) isGone = true
      else markHandled(error)
    }
  }
  const isOver = () => Date.now() > expiryOf(lastUse, minutes, told)
  const look = async () => {
    if (isBusy || isGone) return
    isBusy = true
    // Before giving up the server is asked once more: another tab may have used the session.
    if (isOver() || Date.now() - asked > ASK) await ask()
    isBusy = false
    const isExpiring = Date.now() > expiryOf(lastUse, minutes, told) - WARNING
    if (isExpiring && !isWarned && !isOver()) onExpiring?.()
    isWarned = isExpiring
    if (isGone || !isOver()) return
    isGone = true
    await showMessage({ title: text(appTexts, 'expiredTitle'), body: text(appTexts, 'expiredBody') })
    reloadPage()
  }

  const stopListening = lastReply.subscribe(() => {
    const reply = lastReply.get()
    if (reply !== null && reply.status < 500 && !IDLE_PATHS.has(reply.path)) lastUse = Date.now()
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
