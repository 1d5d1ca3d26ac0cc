// The identity provider (OpenID Connect Core 1.0, authorization code flow with PKCE). Calls are bounded in time, size
// and hosts. The ID token's signature is always verified, also where the protocol is satisfied with TLS.
import * as client from 'openid-client'
import { minutes } from '../../clock.ts'
import type { HandlerServices } from '../../core/services.ts'
import type { Oidc } from '../../env.oidc.ts'
import { ProviderError, type SsoFlow } from './sso.flow.ts'

/** Seconds that the provider may take for a call. */
const TIMEOUT = 4
/** Bytes of a response. */
const MAX_RESPONSE = 512 * 1024
/** Seconds by which the provider's clock may differ. */
const CLOCK_TOLERANCE = 30
/** Milliseconds for which the provider's metadata is kept. After that a failed provider is noticed. */
const KEPT = minutes(1)

/** Returns a fetch function for the provider's hosts only, with responses of limited size. */
const fetchFrom =
  (hosts: readonly string[]): client.CustomFetch =>
  async (url, { method, headers: sent, redirect, signal, body: form }) => {
    const { host } = new URL(url)
    if (!hosts.includes(host)) throw new ProviderError(`${host} is not a host of the provider`)
    const request = { method, headers: sent, redirect, signal: signal ?? null }
    const { body, status, headers } = await fetch(
      url,
      form instanceof URLSearchParams ? { ...request, body: form } : request,
    )
    const chunks: Uint8Array[] = []
    let size = 0
    for await (const chunk of body ?? []) {
      size += chunk.length
      if (size > MAX_RESPONSE) throw new ProviderError(`more than ${MAX_RESPONSE} bytes from ${host}`)
      chunks.push(chunk)
    }
    return new Response(size === 0 ? null : Buffer.concat(chunks), { status, headers })
  }

/** Returns the authentication at the token endpoint: Basic if the provider accepts it (RFC 6749 §2.3.1). */
function authenticationOf({ clientSecret }: Oidc): client.ClientAuth {
  if (clientSecret === undefined) return client.None()
  const [basic, post] = [client.ClientSecretBasic(clientSecret), client.ClientSecretPost(clientSecret)]
  return (server, metadata, body, headers) => {
    const methods = server.token_endpoint_auth_methods_supported
    const isPost = methods?.includes('client_secret_basic') === false && methods.includes('client_secret_post')
    return (isPost ? post : basic)(server, metadata, body, headers)
  }
}

const ENDPOINTS = ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const

async function discover(oidc: Oidc): Promise<client.Configuration> {
  const { issuer, clientId, hosts } = oidc
  const isLocal = issuer.startsWith('http:')
  const metadata = { [client.clockTolerance]: CLOCK_TOLERANCE }
  const config = await client.discovery(new URL(issuer), clientId, metadata, authenticationOf(oidc), {
    timeout: TIMEOUT,
    [client.customFetch]: fetchFrom(hosts),
    execute: [client.enableNonRepudiationChecks, ...(isLocal ? [client.allowInsecureRequests] : [])],
  })
  const server = config.serverMetadata()
  // The library accepts a template for any tenant of Entra ID. The issuer must equal the setting.
  if (server.issuer !== issuer) throw new ProviderError(`another issuer: ${server.issuer}`)
  for (const name of ENDPOINTS) {
    const url = URL.parse(server[name] ?? '')
    if (url === null || !hosts.includes(url.host)) throw new ProviderError(`${name} is not at a host of the provider`)
  }
  return config
}

/** Metadata of the provider for each server of this process. Simultaneous calls share one request. */
const configurations = new WeakMap<Oidc, { config: Promise<client.Configuration>; until: number }>()

function configOf({ clock }: HandlerServices, oidc: Oidc): Promise<client.Configuration> {
  const now = clock.now().getTime()
  const kept = configurations.get(oidc)
  if (kept !== undefined && kept.until > now) return kept.config
  const config = discover(oidc)
  configurations.set(oidc, { config, until: now + KEPT })
  config.catch(() => configurations.delete(oidc))
  return config
}

const OAUTH_REPLIES = [client.AuthorizationResponseError, client.ResponseBodyError]

/** Runs work with the provider. Errors become a ProviderError, whose message holds no secret. */
async function withProvider<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ProviderError) throw error
    const { message, cause } = error instanceof Error ? error : new Error('unknown')
    // The person canceled at the provider, or the code is void: access_denied, invalid_grant.
    const reply = OAUTH_REPLIES.some((Reply) => error instanceof Reply)
    const code = error instanceof client.ResponseBodyError || error instanceof client.AuthorizationResponseError
    const detail = code ? error.error : cause instanceof Error ? cause.message : ''
    throw new ProviderError(`${message} ${detail}`.trim().slice(0, 300), reply)
  }
}

/** Returns the address where the person signs in. */
export async function authorizationUrl(services: HandlerServices, oidc: Oidc, flow: SsoFlow): Promise<string> {
  return withProvider(async () => {
    const url = client.buildAuthorizationUrl(await configOf(services, oidc), {
      redirect_uri: flow.redirectUri,
      scope: 'openid profile email',
      state: flow.state,
      nonce: flow.nonce,
      code_challenge: await client.calculatePKCECodeChallenge(flow.verifier),
      code_challenge_method: 'S256',
    })
    return url.href
  })
}

export type Claims = Record<string, unknown> & { sub?: unknown; email_verified?: unknown }
/** `signed`: claims of the ID token; `all`: also claims of the user info endpoint. */
export type ProvenClaims = { signed: Claims; all: Claims }
type Exchange = ProvenClaims & { providerLogout: string | undefined }

/** Exchanges the code of an authorization response for the claims of the person. */
export function exchangeCode(
  services: HandlerServices,
  oidc: Oidc,
  flow: SsoFlow,
  response: Record<string, string>,
): Promise<Exchange> {
  return withProvider(async () => {
    const config = await configOf(services, oidc)
    const url = new URL(`${flow.redirectUri}?${new URLSearchParams(response)}`)
    const tokens = await client.authorizationCodeGrant(config, url, {
      pkceCodeVerifier: flow.verifier,
      expectedNonce: flow.nonce,
      expectedState: flow.state,
      idTokenExpected: true,
    })
    const signed: Claims = { ...tokens.claims() }
    const all = { ...(await userInfo(config, oidc, tokens.access_token, signed)), ...signed }
    return { signed, all, providerLogout: endSessionUrl(services, config, oidc, tokens.id_token) }
  })
}

/** Longer ID tokens exceed the length of addresses that servers accept. Without one, the provider asks the person. */
const MAX_HINT = 4096

/** Returns where the provider ends its session; undefined if the operator or the provider does not support it. */
function endSessionUrl(
  { env, log }: HandlerServices,
  config: client.Configuration,
  { issuer, hosts, hasLogout }: Oidc,
  idToken = '',
): string | undefined {
  if (!hasLogout) return undefined
  const endpoint = URL.parse(config.serverMetadata().end_session_endpoint ?? '')
  if (endpoint === null || endpoint.protocol !== new URL(issuer).protocol || !hosts.includes(endpoint.host)) {
    log.warn('ACC_OIDC_LOGOUT has no effect: the provider names no end_session_endpoint at one of its hosts')
    return undefined
  }
  return client.buildEndSessionUrl(config, {
    post_logout_redirect_uri: `${env.publicUrl}${env.runtime.frontRoute}/`,
    ...(idToken.length <= MAX_HINT && { id_token_hint: idToken }),
  }).href
}

/** Fetches claims that the ID token lacks, if the user info endpoint is at a host of the provider. */
async function userInfo(
  config: client.Configuration,
  oidc: Oidc,
  accessToken: string,
  signed: Claims,
): Promise<Claims> {
  const url = URL.parse(config.serverMetadata().userinfo_endpoint ?? '')
  const lacks = Object.values(oidc.claims).some((claim) => signed[claim] === undefined)
  if (!lacks || url === null || !oidc.hosts.includes(url.host)) return {}
  return { ...(await client.fetchUserInfo(config, accessToken, String(signed.sub))) }
}
