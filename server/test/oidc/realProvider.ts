// A certified OpenID provider in this process. It signs the chosen person in without a page of its own, as a provider
// does for a person who has a session there.
import { generateKeyPairSync } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider, { type Configuration } from 'oidc-provider'

export const CLIENT = { id: 'acc', secret: 'a-secret-of-the-client' }

/** The claims of a person; `sub` is the account. */
export type Person = { sub: string } & Record<string, unknown>

export type RealProvider = {
  issuer: string
  /** Who signs in next; null: the person cancels. */
  person: Person | null
  /** Requests so far, as `POST /token`. */
  requests: string[]
  close(): Promise<void>
}

type Options = {
  redirectUri: string
  /** Where the provider sends browsers after it signed the person out. */
  signedOutUri?: string
  /** Claims only at the user info endpoint, as the protocol's core has it. */
  onlyUserInfo?: boolean
  port?: number
}

const KEY = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
const PROFILE = ['name', 'preferred_username', 'group', 'department']

const listen = (server: Server, port: number) =>
  new Promise<number>((resolve) => {
    server.listen(port, '127.0.0.1', () => resolve((server.address() as AddressInfo).port))
  })

const configurationOf = (
  people: ReadonlyMap<string, Person>,
  { redirectUri, signedOutUri, onlyUserInfo = false }: Options,
): Configuration => ({
  clients: [
    {
      client_id: CLIENT.id,
      client_secret: CLIENT.secret,
      redirect_uris: [redirectUri],
      post_logout_redirect_uris: signedOutUri === undefined ? [] : [signedOutUri],
      response_types: ['code'],
      grant_types: ['authorization_code'],
    },
  ],
  claims: { openid: ['sub'], profile: PROFILE, email: ['email', 'email_verified'] },
  conformIdTokenClaims: onlyUserInfo,
  cookies: { keys: ['a key of the test'] },
  features: {
    devInteractions: { enabled: false },
    rpInitiatedLogout: {
      enabled: true,
      logoutSource: (ctx, form) => {
        ctx.body = `<link rel="icon" href="data:,">${form}<button type="submit" form="op.logoutForm" value="yes" name="logout">Leave</button>`
      },
    },
  },
  findAccount: (_, sub) => ({ accountId: sub, claims: () => ({ ...people.get(sub), sub }) }),
  interactions: { url: (_, { uid }) => `/interaction/${uid}` },
  jwks: { keys: [{ ...KEY.export({ format: 'jwk' }), use: 'sig' }] },
  pkce: { required: () => true },
  ttl: { AccessToken: 600, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
})

/** Starts the provider; the caller closes it. */
export async function startRealProvider({
  redirectUri,
  signedOutUri,
  onlyUserInfo = false,
  port = 0,
}: Options): Promise<RealProvider> {
  const server = createServer()
  const issuer = `http://127.0.0.1:${await listen(server, port)}`
  const people = new Map<string, Person>()
  const state: RealProvider = {
    issuer,
    person: null,
    requests: [],
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  const provider = new Provider(issuer, configurationOf(people, { redirectUri, signedOutUri, onlyUserInfo }))
  const answer = provider.callback()
  server.on('request', (request, response) => {
    state.requests.push(`${request.method} ${request.url?.split('?')[0]}`)
    if (request.url?.startsWith('/interaction/')) void interact(request, response)
    else void answer(request, response)
  })

  /** Signs the person in and consents to what the client asks for. */
  const interact = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { person } = state
    if (person === null) {
      const cancelled = { error: 'access_denied', error_description: 'cancelled' }
      return provider.interactionFinished(request, response, cancelled, { mergeWithLastSubmission: false })
    }
    people.set(person.sub, person)
    const { params } = await provider.interactionDetails(request, response)
    const grant = new provider.Grant({ accountId: person.sub, clientId: String(params.client_id) })
    grant.addOIDCScope(String(params.scope))
    const result = { login: { accountId: person.sub, remember: false }, consent: { grantId: await grant.save() } }
    return provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false })
  }
  return state
}
