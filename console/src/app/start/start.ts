// The start of the page (S1 sections 2 and 4): a temporary token in the address is consumed, configuration and session
// are read at once, and the address becomes the front route again.
import type { AppConfigs } from '@acc/contract/configs'
import type { Session } from '@acc/contract/session'
import { consumeTmpToken, readConfigs, readSession } from '../../features/portal/portal.calls.ts'
import { landing } from '../../features/portal/portal.flow.ts'
import { call, setServerAddress } from '../../kit/api/call.ts'
import { endsPage, markHandled } from '../../kit/api/errors.ts'
import { errorText } from '../../kit/api/errorText.ts'
import { dialogTexts } from '../../kit/dialogs/dialogs.texts.ts'
import { confirm, showMessage } from '../../kit/dialogs/dialogs.tsx'
import { text, whenTextsReady } from '../../kit/texts/texts.ts'
import { setAppState } from './appState.ts'
import { type Destination, homeOf, readDestination } from './destination.ts'
import { hinderDevTools } from './devTools.ts'
import { startTexts } from './start.texts.ts'

/** Signs in by a token. A session of another person in this browser is given up only when its owner agrees. */
async function consume(tmpToken: string): Promise<void> {
  try {
    const token = await call(consumeTmpToken, { tmpToken })
    if (token.result === 'confirm' && (await confirmReplacing(token))) {
      await call(consumeTmpToken, { tmpToken, replaces: 1 })
    }
  } catch (error) {
    markHandled(error)
    void showMessage({ title: text(dialogTexts, 'title'), body: errorText(error) })
  }
}

const confirmReplacing = ({ id, name }: { id: string; name: string }) =>
  confirm({
    title: text(startTexts, 'replaceTitle'),
    body: text(startTexts, 'replaceBody', { id, name }),
    action: text(startTexts, 'replace'),
    isDanger: true,
  })

type Found = { session: Session | null; error?: unknown }

/** Nobody signed in is no failure; anything else is told, and sign-in follows. */
async function findSession(): Promise<Found> {
  try {
    return { session: await call(readSession, {}) }
  } catch (error) {
    markHandled(error)
    return endsPage(error) ? { session: null } : { session: null, error }
  }
}

/** What the address asked for, until it has been done. */
const wanted: { tmpToken: string | null; destination: Destination | null } = { tmpToken: null, destination: null }

/** Takes the temporary token and the destination out of the address, where nobody should find them later. */
function readAddress(): void {
  const query = new URLSearchParams(location.search)
  wanted.tmpToken = query.get('tmpToken') ?? wanted.tmpToken
  wanted.destination = readDestination(query.get('go')) ?? wanted.destination
  if (location.search !== '') history.replaceState(history.state, '', location.pathname)
}

/** Reads everything again: at the start, after signing out, and after a failed start. */
export async function start(): Promise<void> {
  setAppState({ name: 'sessionChecking' })
  readAddress()
  // Both at once, unless the token makes the session first or the configuration names another server.
  const early = wanted.tmpToken === null ? findSession() : null
  try {
    const configs = await call(readConfigs, {})
    await whenTextsReady()
    const { serverAddress, frontRoute, product, disableDevTools } = configs.runtime
    setServerAddress(serverAddress)
    document.title = product.serverName
    if (disableDevTools) hinderDevTools()
    const home = homeOf(frontRoute, location.pathname)
    if (location.pathname !== home) history.replaceState(history.state, '', home)
    if (wanted.tmpToken !== null) await consume(wanted.tmpToken)
    wanted.tmpToken = null
    const { session, error } = await (early !== null && serverAddress === '' ? early : findSession())
    if (error) void showMessage({ title: text(startTexts, 'sessionFailed'), body: errorText(error) })
    if (session && landing(session, configs) === 'main') enterMain(session, configs)
    else setAppState({ name: 'login', configs, session })
  } catch (error) {
    markHandled(error)
    setAppState({ name: 'failed', error })
  }
}

export function enterMain(session: Session, configs: AppConfigs): void {
  setAppState({ name: 'main', session, configs, go: wanted.destination })
  wanted.destination = null
}
