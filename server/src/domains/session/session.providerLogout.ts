// Address at which the provider ends its own session of the person (OpenID Connect RP-Initiated Logout 1.0). It may
// contain the ID token, so it is sealed for its session and deleted when the session ends.

import { sealedRows } from '../../core/sealedRows.ts'
import type { HandlerServices } from '../../core/services.ts'
import { seal, UnsealError, unseal } from '../../crypto/seal.ts'
import type { Reader } from '../../db/open.ts'
import { findSealedProviderLogout } from './session.queries.ts'

const PURPOSE = 'providerLogout'
const rowContext = (tokenHash: Buffer) => `sessions:${tokenHash.toString('hex')}:providerLogout`

export const sealProviderLogout = ({ key }: HandlerServices, tokenHash: Buffer, url: string): Buffer =>
  seal(key, PURPOSE, rowContext(tokenHash), url)

/** Returns the address of an open session; undefined if it has none or the operator switched the feature off. */
export async function findProviderLogout(
  db: Reader,
  { env, key }: HandlerServices,
  sessionIdx: number,
): Promise<string | undefined> {
  if (env.oidc?.hasLogout !== true) return undefined
  const row = await findSealedProviderLogout(db, sessionIdx)
  if (!row?.providerLogout) return undefined
  try {
    return unseal(key, PURPOSE, rowContext(row.tokenHash), row.providerLogout).toString()
  } catch (error) {
    // Sealed with a former secret key. Signing out must not fail because of it.
    if (error instanceof UnsealError) return undefined
    throw error
  }
}

export const sealedProviderLogouts = sealedRows({
  table: 'sessions',
  key: 'idx',
  column: 'providerLogout',
  purpose: PURPOSE,
  contextOf: ({ tokenHash }) => rowContext(tokenHash),
})
