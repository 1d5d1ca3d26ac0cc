// The session cookie: HttpOnly, SameSite=Lax, and with the __Host- prefix and Secure if browsers use https. Pages of
// other origins (ACC_CONSOLE_ORIGINS) need SameSite=None. The cookie of a single sign-on in progress lasts minutes.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Cookies } from '../core/context.ts'
import type { Env } from '../env.ts'

const isSecure = (publicUrl: string) => publicUrl.startsWith('https:')
/** The name of the session cookie where browsers see http. */
export const SESSION_COOKIE = 'acc'
const nameOf = (publicUrl: string) => (isSecure(publicUrl) ? `__Host-${SESSION_COOKIE}` : SESSION_COOKIE)
const ssoNameOf = (publicUrl: string) => `${nameOf(publicUrl)}-sso`

type CookieSettings = Pick<Env, 'publicUrl' | 'consoleOrigins'>

/** Access to the session cookie; a route that takes no credentials never sees one. */
export function cookiesOf(reply: FastifyReply, settings: CookieSettings, credentials?: 'omit'): Cookies {
  const { publicUrl, consoleOrigins } = settings
  const sameSite = consoleOrigins.length > 0 ? 'none' : 'lax'
  const options = { path: '/', httpOnly: true, sameSite, secure: isSecure(publicUrl) } as const
  // The provider's redirect is a navigation, which Lax cookies accompany.
  const ssoOptions = { ...options, sameSite: 'lax' } as const
  return {
    session: credentials === 'omit' ? undefined : reply.request.cookies[nameOf(publicUrl)],
    setSession: (token) => void reply.setCookie(nameOf(publicUrl), token, options),
    clearSession: () => void reply.clearCookie(nameOf(publicUrl), options),
    sso: reply.request.cookies[ssoNameOf(publicUrl)],
    setSso: (sealed, maxAge) => void reply.setCookie(ssoNameOf(publicUrl), sealed, { ...ssoOptions, maxAge }),
    clearSso: () => void reply.clearCookie(ssoNameOf(publicUrl), ssoOptions),
  }
}

// Ids of BIM servers have 16 characters or more, tokens of desktop clients 43.
const BEARER = /^Bearer ([\w-]{16,200})$/

/** The token in the Authorization header. */
export const bearerOf = ({ headers }: Pick<FastifyRequest, 'headers'>): string | undefined =>
  BEARER.exec(headers.authorization ?? '')?.[1]

/** The token of a request: the desktop client's in the Authorization header, the browser's in the cookie. */
export const tokenOf = (request: FastifyRequest, publicUrl: string): string | undefined =>
  bearerOf(request) ?? request.cookies[nameOf(publicUrl)]
