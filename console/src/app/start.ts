// The start of the page (S1 sections 2 and 4): a temporary token in the address is consumed, configuration and session
// are read at once, and the address becomes the front route again.
import type { AppConfigs } from '@acc/contract/configs'
import type { Session } from '@acc/contract/session'
import { consumeTmpToken, readConfigs, readSession } from '../features/portal/portal.calls.ts'
import { landing } from '../features/portal/portal.flow.ts'
import { call, setServerAddress } from '../kit/call.ts'
import { tell } from '../kit/dialogs.tsx'
import { claim, endsPage } from '../kit/errors.ts'
import { errorText } from '../kit/errorText.ts'
import { kitTexts } from '../kit/kit.texts.ts'
import { text } from '../kit/texts.ts'
import { setAppState } from './appState.ts'
import { type Destination, readDestination } from './destination.ts'
import { startTexts } from './start.texts.ts'

async function consume(tmpToken: string): Promise<void> {
  try {
    await call(consumeTmpToken, { tmpToken })
  } catch (error) {
    claim(error)
    void tell({ title: text(kitTexts, 'errors.title'), body: errorText(error) })
  }
}

/** Nobody signed in is no failure; anything else is told, and sign-in follows. */
async function findSession(): Promise<Session | null> {
  try {
    return await call(readSession, {})
  } catch (error) {
    claim(error)
    if (!endsPage(error)) void tell({ title: text(startTexts, 'sessionFailed'), body: errorText(error) })
    return null
  }
}

let destination: Destination | null = null

/** Reads everything again: at the start, after signing in, and after a failed start. */
export async function start(): Promise<void> {
  setAppState({ name: 'sessionChecking' })
  const address = new URLSearchParams(location.search)
  const tmpToken = address.get('tmpToken')
  destination = readDestination(address.get('go')) ?? destination
  try {
    const asked = call(readConfigs, {})
    asked.catch(claim)
    if (tmpToken !== null) await consume(tmpToken)
    const [configs, session] = await Promise.all([asked, findSession()])
    setServerAddress(configs.runtime.serverAddress)
    const { frontRoute } = configs.runtime
    document.title = configs.runtime.product.serverName
    if (location.pathname + location.search !== frontRoute) history.replaceState(history.state, '', frontRoute)
    if (session && landing(session, configs) === 'main') enterMain(session, configs)
    else setAppState({ name: 'login', configs, session })
  } catch (error) {
    claim(error)
    setAppState({ name: 'failed', error })
  }
}

export function enterMain(session: Session, configs: AppConfigs): void {
  setAppState({ name: 'main', session, configs, go: destination })
  destination = null
}
