// Signing in by single sign-on (spec S1 §4, S2 §2.7). It replaces password and one-time password. Accounts that are
// refused with a password are refused here as well (docs/decisions/06-single-sign-on.md).
import { ERRORS } from '@acc/contract/core/errors'
import { hasFlag } from '@acc/contract/labels/flags'
import { SignInType } from '@acc/contract/labels/history'
import { LoginType } from '@acc/contract/labels/users'
import type { AuthorizationResponse } from '@acc/contract/sso'
import { minutes, today } from '../../clock.ts'
import { logOf } from '../../core/change.ts'
import type { ChangeContext, Cookies, ReadContext } from '../../core/context.ts'
import { Failure, fail } from '../../core/errors.ts'
import { networkOf } from '../../core/networks.ts'
import { hashToken } from '../../crypto/token.ts'
import type { Tx } from '../../db/open.ts'
import type { Oidc } from '../../env.oidc.ts'
import { type Account, findAccount, lockAccount } from '../credentials/credentials.queries.ts'
import { requireUsable } from '../credentials/signInAttempts.ts'
import { type Limit, recordCount, updateCountDown } from '../credentials/throttles.ts'
import { replaceSession, signInRow } from '../session/session.service.ts'
import { unknownPerson } from '../session/session.signIn.ts'
import { insertSignIn } from '../session/signIns.ts'
import { beginFlow, openFlow, ProviderError, SSO_SECONDS, type SsoFlow, sealFlow, useFlow } from './sso.flow.ts'
import { lockByKey } from './sso.queries.ts'
import { createSsoUser, identityOf, refreshSsoUser, type SsoIdentity } from './sso.users.ts'

type Public = { cookies: Cookies }
type LoginContext = ReadContext<undefined> & Public
type Context = ChangeContext<undefined, 'userManage'> & Public

/** Returns the address of the portal. `ssoError` shows an error, `sso` prevents another automatic sign-on. */
const portalOf = ({ services }: LoginContext, query: Record<string, string>): string =>
  `${services.env.publicUrl}${services.env.runtime.frontRoute}/?${new URLSearchParams(query)}`

const goParameter = (go: string | undefined): Record<string, string> => (go === undefined ? {} : { go })

/** Converts an error to one of the catalogue. The log contains its cause. */
function failureOf(error: unknown): Failure {
  if (error instanceof Failure) return error
  if (!(error instanceof ProviderError)) throw error
  return new Failure(error.isIncomplete ? 'SSO_INCOMPLETE' : 'SSO_UNAVAILABLE', undefined, { cause: error.message })
}

/** Returns the limit of failed and pending sign-ons of a network, since each of them calls the provider. */
const failuresOf = (ip: string): Limit => ({ key: `sso:failed:${networkOf(ip)}`, max: 100, window: minutes(5) })

/** Returns the limit of a person's sign-ons, since each may leave a session and lasting rows. */
const signOnsOf = ({ key }: SsoIdentity): Limit => ({
  key: `sso:person:${hashToken(key).toString('base64url')}`,
  max: 60,
  window: minutes(1),
})

/** Runs a step in the person's browser. The portal shows its errors. */
async function orShowInPortal(
  ctx: LoginContext,
  go: string | undefined,
  step: (oidc: Oidc) => Promise<string>,
): Promise<string> {
  const { oidc } = ctx.services.env
  if (oidc === undefined) fail('SSO_UNAVAILABLE')
  try {
    return await step(oidc)
  } catch (error) {
    const failure = failureOf(error)
    const { code, cause } = failure
    ctx.services.log.warn({ requestId: ctx.requestId, ip: ctx.ip, code, reason: cause }, 'single sign-on refused')
    return portalOf(ctx, { ssoError: String(ERRORS[failure.error].code), ...goParameter(go) })
  }
}

/** Sends the browser to the provider. */
export const beginSso = (ctx: LoginContext, { go }: { go?: string | undefined }): Promise<string> =>
  orShowInPortal(ctx, go, async (oidc) => {
    const flow = beginFlow(ctx.services, go)
    const { authorizationUrl } = await import('./sso.provider.ts')
    const url = await authorizationUrl(ctx.services, oidc, flow)
    ctx.cookies.setSso(sealFlow(ctx.services, flow), SSO_SECONDS)
    return url
  })

/** Signs in the identified person and opens the portal. */
export function completeSso(ctx: Context, response: AuthorizationResponse): Promise<string> {
  const flow = openFlow(ctx.services, ctx.cookies.sso)
  return orShowInPortal(ctx, flow?.go, async (oidc) => {
    ctx.cookies.clearSso()
    if (flow === undefined || flow.state !== response.state || !(await useFlow(ctx, flow))) fail('SSO_INCOMPLETE')
    const limit = failuresOf(ctx.ip)
    await recordCount(ctx, limit, ctx.services.clock.now())
    const { identity, providerLogout } = await identify(ctx, oidc, flow, response)
    await recordCount(ctx, signOnsOf(identity), ctx.services.clock.now())
    const token = await orLogRefusal(ctx, identity, () => signIn(ctx, identity, providerLogout))
    await ctx.record((tx) => updateCountDown(tx, limit.key))
    ctx.cookies.setSession(token)
    return portalOf(ctx, { sso: 'done', ...goParameter(flow.go) })
  })
}

async function identify(
  ctx: Context,
  oidc: Oidc,
  flow: SsoFlow,
  response: AuthorizationResponse,
): Promise<{ identity: SsoIdentity; providerLogout: string | undefined }> {
  const parameters = Object.entries(response).filter((pair): pair is [string, string] => pair[1] !== undefined)
  const { exchangeCode } = await import('./sso.provider.ts')
  const { providerLogout, ...claims } = await exchangeCode(ctx.services, oidc, flow, Object.fromEntries(parameters))
  const identity = identityOf(claims, oidc.claims)
  if (identity === undefined) throw new Failure('SSO_REFUSED', undefined, { cause: `no claim ${oidc.claims.key}` })
  return { identity, providerLogout }
}

/** Logs a refused sign-in, without a person if no user has the key. */
async function orLogRefusal<T>(ctx: Context, { key, id }: SsoIdentity, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Failure)
      await ctx.record(async (tx) => {
        const found = await lockByKey(tx, key)
        const account = found?.key === key ? await findAccount(tx, { idx: found.idx }) : undefined
        const row = signInRow(account ?? unknownPerson(id ?? key.slice(0, 30)), ctx, 'web', SignInType.REFUSED)
        await insertSignIn(tx, ctx.services.clock.now(), row)
      })
    throw error
  }
}

const DUPLICATES: readonly string[] = ['DUPLICATE_ID', 'DUPLICATE_EMAIL', 'DUPLICATE_KEY']

/** Signs in. Of two first sign-ins of a person at once, the second one finds the user of the first one. */
async function signIn(ctx: Context, identity: SsoIdentity, providerLogout: string | undefined): Promise<string> {
  const attempt = () => ctx.change((tx) => openFor(tx, ctx, identity, providerLogout))
  try {
    return await attempt()
  } catch (error) {
    if (!(error instanceof Failure) || !DUPLICATES.includes(error.error)) throw error
    return attempt()
  }
}

async function openFor(tx: Tx, ctx: Context, identity: SsoIdentity, providerLogout: string | undefined) {
  const { services } = ctx
  const found = await lockByKey(tx, identity.key)
  // Subjects of a provider are case-sensitive (OpenID Connect Core §2), keys of users are not.
  if (found !== undefined && found.key !== identity.key) fail('SSO_REFUSED')
  const created = found === undefined ? await createSsoUser(tx, services, identity) : undefined
  const userIdx = found?.idx ?? created?.user.idx ?? 0
  if (created === undefined) requireSsoAccount(ctx, await lockAccount(tx, userIdx))
  const refreshed = created === undefined ? await refreshSsoUser(tx, services, userIdx, identity) : undefined
  const account = await findAccount(tx, { idx: userIdx })
  if (account === undefined) fail('SSO_REFUSED')
  if (account.isPartner) fail('CLIENT_REQUIRED')
  const opening = { type: SignInType.SSO_LOGIN, providerLogout }
  const token = await replaceSession(tx, ctx, account, ctx.cookies.session, opening)
  return { result: token, log: logOf([created?.log ?? refreshed].filter((log) => log !== undefined)) }
}

/** Rejects accounts that may not sign in this way: 182 (always for administrators), and 101 to 103. */
function requireSsoAccount({ services }: Context, account: Account | undefined): void {
  if (account === undefined || account.isAdmin === 1 || !hasFlag(account.loginType, LoginType.SSO)) fail('SSO_REFUSED')
  requireUsable(account, services.env, today(services.clock))
}
