// Single sign-on in the browser: when it begins by itself, and the result in the address after the provider (spec S1
// §3; docs/decisions/06-single-sign-on.md). The sign-in page's script contains it, so it needs no schema.
import type { AppConfigs } from '@acc/contract/configs'
import { type ErrorName, errorName } from '@acc/contract/core/errors'
import { readStored, stored, tabMark, writeStored } from '../../kit/browser/storage.ts'

export type SsoReturn = {
  /** Why the last attempt ended without a session. */
  error: ErrorName | undefined
  /** After an attempt, and with `?sso=off`, the form for ID and password stays. */
  staysHere: boolean
}

export function readSsoReturn(query: URLSearchParams): SsoReturn {
  const code = query.get('ssoError')
  const error = code === null ? undefined : (errorName(Number(code)) ?? 'SSO_UNAVAILABLE')
  return { error, staysHere: code !== null || query.has('sso') }
}

/** Whether this page offers single sign-on. The provider sends browsers back to the server's own pages only. */
export const offersSso = ({ hasSso, runtime }: AppConfigs): boolean => hasSso === 1 && runtime.serverAddress === ''

/** Set while the tab is at the provider: who comes back without a session, by the Back button, stays here. */
const { isSet: hasLeft, set: setLeft } = tabMark('acc.ssoBegun')

/** Whether a visitor without a session is sent to the provider at once. */
export const beginsBySso = (configs: AppConfigs, { staysHere }: SsoReturn): boolean =>
  offersSso(configs) && !staysHere && !hasLeft() && readStored(stored.noSso) === null

/** The tab has a session. */
export const endSso = (): void => setLeft(false)

/** Leaves for the provider; `go` is where the console opens afterwards. */
export function openSso(go?: string): void {
  setLeft(true)
  location.assign(`/Sso/Login${go === undefined ? '' : `?${new URLSearchParams({ go })}`}`)
}

/** The same by the person's own choice, which also lets the next visit begin by itself again. */
export function chooseSso(go: string | undefined): void {
  writeStored(stored.noSso, null)
  openSso(go)
}
