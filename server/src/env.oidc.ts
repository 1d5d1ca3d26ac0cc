// The operator's settings of single sign-on with OpenID Connect (docs/operations/install.md).
import { SSO_PROPS } from '@acc/contract/sso'
import { z } from 'zod'

type SsoProp = (typeof SSO_PROPS)[number]
/** The claim that holds each property of a user. */
export type OidcClaims = Record<SsoProp, string>

export type Oidc = {
  issuer: string
  clientId: string
  /** Undefined: a public client, which PKCE alone protects. */
  clientSecret: string | undefined
  claims: OidcClaims
  /** Further hosts that the provider's metadata may name, besides the issuer's own. */
  hosts: string[]
  /** Whether signing out ends the person's session at the provider, too. */
  hasLogout: boolean
}

const DEFAULT_CLAIMS: OidcClaims = {
  key: 'sub',
  id: 'preferred_username',
  name: 'name',
  email: 'email',
  group: 'group',
}

const ISSUER_FORM = 'the https address of the provider, as it calls itself (`issuer`)'
const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/

/** https; on this computer http too, since nothing passes a network there. */
function isIssuer(text: string): boolean {
  const { protocol, hostname, username, password, search, hash } = new URL(text)
  const isSafe = protocol === 'https:' || (protocol === 'http:' && LOOPBACK.test(hostname))
  return isSafe && [username, password, search, hash].every((part) => part === '')
}

const parts = (text: string) => text.split(',').map((part) => part.trim())
const CLAIM = /^([a-z]+)=([\w:./-]{1,200})$/
const CLAIMS_FORM = `pairs as key=sub,id=preferred_username of ${SSO_PROPS.join(', ')}`
const isProp = (name: string): name is SsoProp => (SSO_PROPS as readonly string[]).includes(name)

/** Reads `key=oid, id=sam_account_name`; claims that are not named keep their default. */
const Claims = z.string().transform((text, ctx): OidcClaims => {
  const claims = { ...DEFAULT_CLAIMS }
  for (const part of parts(text)) {
    const [, name = '', claim = ''] = CLAIM.exec(part) ?? []
    if (isProp(name)) claims[name] = claim
    else ctx.addIssue(CLAIMS_FORM)
  }
  return claims
})

const isHost = (text: string) => /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:\d{1,5})?$/i.test(text)

export const OIDC_VARIABLES = {
  ACC_OIDC_ISSUER: z.url({ abort: true, error: ISSUER_FORM }).refine(isIssuer, ISSUER_FORM).optional(),
  ACC_OIDC_CLIENT_ID: z.string().min(1).max(500).optional(),
  ACC_OIDC_CLIENT_SECRET: z.string().min(1).max(500).optional(),
  ACC_OIDC_CLAIMS: Claims.optional(),
  ACC_OIDC_HOSTS: z
    .string()
    .transform(parts)
    .refine((all) => all.every(isHost), 'host names, separated by commas')
    .optional(),
  ACC_OIDC_LOGOUT: z.enum(['on', 'off'], 'on or off').optional(),
}

type Variables = z.output<z.ZodObject<typeof OIDC_VARIABLES>>

/** Returns the settings of single sign-on, undefined without any, or a text about a missing one. */
export function oidcOf(v: Variables): Oidc | string | undefined {
  const { ACC_OIDC_ISSUER: issuer, ACC_OIDC_CLIENT_ID: clientId } = v
  const given = Object.keys(OIDC_VARIABLES).filter((name) => v[name as keyof Variables] !== undefined)
  const [first] = given
  if (first === undefined) return undefined
  if (issuer === undefined) return `${first}: needs ACC_OIDC_ISSUER`
  if (clientId === undefined) return `${first}: needs ACC_OIDC_CLIENT_ID`
  return {
    issuer,
    clientId,
    clientSecret: v.ACC_OIDC_CLIENT_SECRET,
    claims: v.ACC_OIDC_CLAIMS ?? DEFAULT_CLAIMS,
    hosts: [new URL(issuer).host, ...(v.ACC_OIDC_HOSTS ?? [])],
    hasLogout: v.ACC_OIDC_LOGOUT === 'on',
  }
}
