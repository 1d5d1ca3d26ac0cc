// A pending single sign-on, bound to its browser. State, nonce and PKCE verifier are sealed in a cookie for ten
// minutes, and the state can be used once on all nodes together.
import { z } from 'zod'
import { later, minutes } from '../../clock.ts'
import type { Recorder } from '../../core/context.ts'
import type { HandlerServices } from '../../core/services.ts'
import { seal, UnsealError, unseal } from '../../crypto/seal.ts'
import { hashToken, newToken } from '../../crypto/token.ts'
import { updateCountsUp } from '../credentials/throttles.ts'

/** A failed exchange with the provider. `isIncomplete`: the person may try again at once. */
export class ProviderError extends Error {
  override readonly name = 'ProviderError'
  readonly isIncomplete: boolean
  constructor(message: string, isIncomplete = false) {
    super(message)
    this.isIncomplete = isIncomplete
  }
}

/** Seconds that a person has to sign in at the provider. */
export const SSO_SECONDS = 600

const SsoFlow = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  redirectUri: z.string(),
  go: z.string().optional(),
  expireDT: z.iso.datetime(),
})
export type SsoFlow = z.output<typeof SsoFlow>

/** Begins a sign-on. The provider sends the browser back to the public address. */
export const beginFlow = ({ env, clock }: HandlerServices, go: string | undefined): SsoFlow => ({
  state: newToken(),
  nonce: newToken(),
  verifier: newToken(),
  redirectUri: `${env.publicUrl}/Sso/Callback`,
  go,
  expireDT: later(clock.now(), SSO_SECONDS * 1000).toISOString(),
})

const PURPOSE = 'ssoFlow'

export const sealFlow = ({ key }: HandlerServices, flow: SsoFlow): string =>
  seal(key, PURPOSE, 'cookie', JSON.stringify(flow)).toString('base64url')

/** Returns the sign-on of a cookie; undefined if it is too old, altered or of another server. */
export function openFlow({ key, clock }: HandlerServices, cookie: string | undefined): SsoFlow | undefined {
  if (cookie === undefined) return undefined
  try {
    const opened = unseal(key, PURPOSE, 'cookie', Buffer.from(cookie, 'base64url'))
    const flow = SsoFlow.parse(JSON.parse(Buffer.from(opened).toString()))
    return new Date(flow.expireDT) > clock.now() ? flow : undefined
  } catch (error) {
    if (error instanceof UnsealError) return undefined
    throw error
  }
}

/** Uses a sign-on, also if the call fails later. Returns false if it was used before. */
export async function useFlow(
  { services, record }: { services: HandlerServices } & Recorder,
  { state }: SsoFlow,
): Promise<boolean> {
  const key = `sso:state:${hashToken(state).toString('base64url')}`
  const limit = { key, max: 1, window: 2 * minutes(SSO_SECONDS / 60) }
  const [uses = 0] = await record((tx) => updateCountsUp(tx, [limit], services.clock.now()))
  return uses <= limit.max
}
