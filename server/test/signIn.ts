// Typed calls of a person who signs in over HTTP with a password: for servers that run as processes of their own.
import { api } from '@acc/contract'
import { createClient } from '@acc/contract/core/client'

/** Typed calls of a person who signs in as a browser does. */
export async function signIn(baseUrl: string, id: string, pw: string) {
  const headers: Record<string, string> = {}
  const keepCookie: typeof fetch = async (input, init) => {
    const response = await fetch(input, { ...init, headers: { ...(init?.headers as object), ...headers } })
    const cookie = response.headers.getSetCookie()[0]?.split(';')[0]
    if (cookie !== undefined) headers.cookie = cookie
    return response
  }
  const calls = createClient(api, { baseUrl, fetch: keepCookie })
  await calls.session.login({ id, pw })
  return calls
}
