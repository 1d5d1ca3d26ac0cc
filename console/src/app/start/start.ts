// The start of the page (spec S1 §2, §4): consumes a temporary token in the address, reads configuration and session at
// once, and puts the front route back into the address.
import type { AppConfigs } from '@acc/contract/configs'
import { ApiError } from '@acc/contract/core/client'
import type { Session } from '@acc/contract/session'
import { landing } from '../../features/portal/afterSignIn.ts'
import { consumeTmpToken, readConfigs, readSession } from '../../features/portal/portal.calls.ts'
import { beginsBySso, endSso, openSso, readSsoReturn, type SsoReturn } from '../../features/portal/sso.ts'
import { call, setServerAddress } from '../../kit/api/call.ts'
import { endsPage, markHandled } from '../../kit/api/errors.ts'
import { errorText } from '../../kit/api/errorText.ts'
import { openDrafts } from '../../kit/browser/drafts.ts'
import { dialogTexts } from '../../kit/dialogs/dialogs.texts.ts'
import { confirm, showMessage } from '../../kit/dialogs/dialogs.tsx'
import { text, whenTextsReady } from '../../kit/texts/texts.ts'
import { setAppState } from './appState.ts'
import { type Destination, homeOf, readDestination, textOf } from './destination.ts'
import { wasReloaded } from './reloadPage.ts'
import { startTexts } from './start.texts.ts'

// If the operator disables developer tools, open ones stop every 100 ms (spec S1 §9). This hinders but protects
// nothing: the server decides what each person may do.
const INTERVAL = 100

let isRunning = false

function hinderDevTools(): void {
  if (isRunning) return
  isRunning = true
  setInterval(() => {
    // biome-ignore lint/suspicious/noDebugger: the operator asks for it.
    debugger
  }, INTERVAL)
}

/**
 * Signs in by a token, which is sent once: without an answer nobody knows whether it was used. A later attempt aborts
 * it, so that its answer opens no session behind the page. A session of another person ends only if its owner agrees.
 */
async function consume(tmpToken: string, signal: AbortSignal): Promise<void> {
  requested.tmpToken = null
  setAppState({ name: 'sessionChecking', isLinkSent: true })
  try {
    const token = await call(consumeTmpToken, { tmpToken }, { signal })
    if (token.result === 'confirm' && (await confirmReplacing(token))) {
      await call(consumeTmpToken, { tmpToken, replaces: 1 }, { signal })
    }
  } catch (error) {
    markHandled(error)
    if (signal.aborted) return
    const isUsed = error instanceof ApiError && error.error === 'NO_SESSION'
    const body = isUsed ? text(startTexts, 'usedToken') : errorText(error)
    void showMessage({ title: text(dialogTexts, 'title'), body })
  }
}

const confirmReplacing = ({ id, name }: { id: string; name: string }) =>
  confirm({
    title: text(startTexts, 'replaceTitle'),
    body: text(startTexts, 'replaceBody', { id, name }),
    action: text(startTexts, 'replace'),
    isDanger: true,
  })

type StartState = { session: Session | null; error?: unknown }

/** No session (960) is not an error, nor is an ended one that a dialog explained before the page reloaded. */
async function findSession(signal: AbortSignal): Promise<StartState> {
  const isExplained = wasReloaded()
  try {
    return { session: await call(readSession, {}, { signal }) }
  } catch (error) {
    markHandled(error)
    const isSilent = error instanceof ApiError && (error.error === 'NO_SESSION' || (isExplained && endsPage(error)))
    return isSilent ? { session: null } : { session: null, error }
  }
}

/** Values of the URL, until they are processed. */
const requested: { tmpToken: string | null; destination: Destination | null; sso: SsoReturn } = {
  tmpToken: null,
  destination: null,
  sso: { error: undefined, staysHere: false },
}

/** Moves the temporary token and the destination from the URL and the browser's history into `requested`. */
function readAddress(): void {
  const query = new URLSearchParams(location.search)
  requested.tmpToken = query.get('tmpToken') ?? requested.tmpToken
  requested.destination = readDestination(query.get('go')) ?? requested.destination
  if (query.has('sso') || query.has('ssoError')) requested.sso = readSsoReturn(query)
  if (location.search !== '') history.replaceState(history.state, '', location.pathname)
}

let attempt = new AbortController()

/** Reads everything again: at the start, after signing out, and after a start that failed or that nobody answered. */
export async function start(): Promise<void> {
  attempt.abort()
  attempt = new AbortController()
  const { signal } = attempt
  setAppState({ name: 'sessionChecking' })
  readAddress()
  // Both at once, unless the token makes the session first or the configuration names another server.
  const early = requested.tmpToken === null ? findSession(signal) : null
  try {
    const configs = await call(readConfigs, {}, { signal })
    await whenTextsReady()
    const { serverAddress, frontRoute, product, disableDevTools } = configs.runtime
    setServerAddress(serverAddress)
    document.title = product.serverName
    if (disableDevTools) hinderDevTools()
    const home = homeOf(frontRoute, location.pathname)
    if (location.pathname !== home) history.replaceState(history.state, '', home)
    if (requested.tmpToken !== null) await consume(requested.tmpToken, signal)
    const { session, error } = await (early !== null && serverAddress === '' ? early : findSession(signal))
    if (signal.aborted) return
    if (error) void showMessage({ title: text(startTexts, 'sessionFailed'), body: errorText(error) })
    if (session) {
      endSso()
      openDrafts(session)
    }
    const go = textOf(requested.destination)
    if (session && landing(session, configs) === 'main') enterMain(session, configs)
    else if (session === null && !error && beginsBySso(configs, requested.sso)) openSso(go)
    else setAppState({ name: 'login', configs, session, ssoError: requested.sso.error, go })
  } catch (error) {
    markHandled(error)
    if (!signal.aborted) setAppState({ name: 'failed', error })
  }
}

export function enterMain(session: Session, configs: AppConfigs): void {
  setAppState({ name: 'main', session, configs, go: requested.destination })
  requested.destination = null
}
