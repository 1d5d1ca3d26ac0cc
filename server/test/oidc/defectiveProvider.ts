// A provider whose every part can be wrong: metadata, keys, token responses, ID tokens. Correct unless configured
// otherwise.
import { createHmac, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { CLIENT } from './realProvider.ts'

const pair = () => generateKeyPairSync('rsa', { modulusLength: 2048 })
const [KEY, FOREIGN_KEY] = [pair(), pair()]
const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

type Claims = Record<string, unknown>

/** Where a token signed by a foreign key says that its key is. */
export const FOREIGN_KEYS = '/foreign-keys'
export type Defect = {
  metadata?: (metadata: Claims) => Claims
  claims?: (claims: Claims) => Claims
  /** How the ID token is signed. */
  signing?: 'foreign' | 'none' | 'secret' | 'damaged'
  /** The token response instead of a valid one. */
  token?: (valid: Claims) => Claims
  /** What answers instead of a path. */
  answers?: Record<string, (response: ServerResponse) => void>
}

export type DefectiveProvider = {
  issuer: string
  defect: Defect
  requests: string[]
  /** The code that the provider gives for an authorization request, as its page would. */
  authorize(url: URL): { code: string; state: string }
  close(): Promise<void>
}

function idToken(claims: Claims, signing: Defect['signing']): string {
  const alg = signing === 'none' ? 'none' : signing === 'secret' ? 'HS256' : 'RS256'
  // Headers that name keys of the token's own choice.
  const jwk = FOREIGN_KEY.publicKey.export({ format: 'jwk' })
  const own = signing === 'foreign' ? { jwk, jku: `${String(claims.iss)}${FOREIGN_KEYS}` } : {}
  const text = `${part({ alg, kid: 'k1', typ: 'JWT', ...own })}.${part(claims)}`
  if (signing === 'none') return `${text}.`
  if (signing === 'secret') return `${text}.${createHmac('sha256', CLIENT.secret).update(text).digest('base64url')}`
  const { privateKey } = signing === 'foreign' ? FOREIGN_KEY : KEY
  const signature = sign('sha256', Buffer.from(text), privateKey).toString('base64url')
  return `${text}.${signing === 'damaged' ? signature.replace(/^.{4}/, 'AAAA') : signature}`
}

const validMetadata = (issuer: string) => ({
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  jwks_uri: `${issuer}/jwks`,
  response_types_supported: ['code'],
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: ['RS256'],
})

function validClaims(issuer: string, nonce: string | undefined): Claims {
  const now = Math.floor(Date.now() / 1000)
  return {
    iss: issuer,
    aud: CLIENT.id,
    sub: 'person-1',
    nonce,
    iat: now,
    exp: now + 300,
    preferred_username: 'person.one',
    name: 'Person One',
    email: 'person.one@example.com',
    group: 'none',
  }
}

function tokenResponse({ claims, signing, token }: Defect, valid: Claims): Claims {
  const id_token = idToken(claims?.(valid) ?? valid, signing)
  const response = { access_token: 'access', token_type: 'Bearer', expires_in: 300, id_token }
  return token?.(response) ?? response
}

/** Starts the provider; the caller closes it. */
export async function startDefectiveProvider(): Promise<DefectiveProvider> {
  const nonces = new Map<string, string>()
  const server = createServer((request, response) => {
    const { defect, requests } = provider
    const path = new URL(request.url ?? '', issuer).pathname
    requests.push(path)
    const own = defect.answers?.[path]
    if (own) return own(response)
    const json = (value: object) => response.setHeader('content-type', 'application/json').end(JSON.stringify(value))
    const metadata = validMetadata(issuer)
    if (path === '/.well-known/openid-configuration') return json(defect.metadata?.(metadata) ?? metadata)
    if (path === '/jwks') return json({ keys: [{ ...KEY.publicKey.export({ format: 'jwk' }), kid: 'k1', use: 'sig' }] })
    if (path !== '/token') return response.writeHead(404).end()
    return text(request).then((body) => {
      const nonce = nonces.get(new URLSearchParams(body).get('code') ?? '')
      json(tokenResponse(defect, validClaims(issuer, nonce)))
    })
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const provider: DefectiveProvider = {
    issuer,
    defect: {},
    requests: [],
    authorize: ({ searchParams }) => {
      const code = randomBytes(16).toString('hex')
      nonces.set(code, searchParams.get('nonce') ?? '')
      return { code, state: searchParams.get('state') ?? '' }
    },
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return provider
}
