// The session checker (spec S1 §4). Every second it checks whether the session has expired: `minutes` and 10 seconds
// after the last reply. Every minute it asks the server, which does not extend the session. Other calls do.
import { api } from '@acc/contract'
import type { Route } from '@acc/contract/core/route'
import type { Session } from '@acc/contract/session'
import { call, lastReply } from '../../kit/api/call.ts'
import { endsPage, markHandled } from '../../kit/api/errors.ts'
import { dialogTexts } from '../../kit/dialogs/dialogs.texts.ts'
import { showMessage } from '../../kit/dialogs/dialogs.tsx'
import { fateOfChanges } from '../../kit/form/unsaved.ts'
import { text } from '../../kit/texts/texts.ts'
import { appTexts } from '../shell/app.texts.ts'
import { reloadPage } from '../start/reloadPage.ts'

/** Milliseconds between two looks at the clock. */
const CHECK_EVERY = 1000
/** Milliseconds between two requests to the server: other tabs may have used the session since the last one. */
const ASK_EVERY = 60_000
/** Milliseconds without a reply after which a session counts as expired. */
const GRACE = 10_000
/** Milliseconds before the expiry at which the warning is given. */
const WARNING = 60_000

const usesSession = (route: Route) => route.access !== 'public' && !('slides' in route && route.slides === false)
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
  /** Called once, a minute before the session expires. If it is then used, called once more before the new expiry. */
  onExpiring?: () => void
}

export function checkSession({ minutes, onSession, onExpiring }: Choices) {
  let isWarned = false
  let lastUse = Date.now()
  /** When the server ends the session, by its last answer. */
  let serverExpiry = 0
  let askedAt = Date.now()
  let isBusy = false
  let isGone = false

  const ask = async () => {
    askedAt = Date.now()
    try {
      const session = await call(api.session.find, {})
      serverExpiry = Date.parse(session.sessionExpireDT)
      onSession(session)
    } catch (error) {
      // The global handler shows that the session has ended; an unreachable server is retried.
      if (endsPage(error)) isGone = true
      else markHandled(error)
    }
  }
  /** Milliseconds until the session counts as expired. */
  const remaining = () => Math.max(lastUse + minutes * 60_000, serverExpiry) + GRACE - Date.now()
  const isOver = () => remaining() < 0
  const check = async () => {
    if (isBusy || isGone) return
    isBusy = true
    // Check the server once more before giving up: another tab may have extended the session.
    if (isOver() || Date.now() - askedAt > ASK_EVERY) await ask()
    isBusy = false
    const isExpiring = remaining() < WARNING
    if (isExpiring && !isWarned && !isOver()) onExpiring?.()
    isWarned = isExpiring
    if (isGone || !isOver()) return
    isGone = true
    const fate = fateOfChanges()
    const after = fate === undefined ? '' : `\n${text(dialogTexts, fate)}`
    await showMessage({ title: text(appTexts, 'expiredTitle'), body: `${text(appTexts, 'expiredBody')}${after}` })
    reloadPage()
  }

  const stopListening = lastReply.subscribe(() => {
    const reply = lastReply.get()
    if (reply !== null && reply.status < 500 && !IDLE_PATHS.has(reply.path)) lastUse = Date.now()
  })
  const timer = setInterval(() => void check(), CHECK_EVERY)
  const wake = () => {
    if (document.visibilityState === 'visible') void check()
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
