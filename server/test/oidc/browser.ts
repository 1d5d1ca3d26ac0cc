// A browser as far as single sign-on needs one: cookies by origin, and redirects that are followed one by one.
import { api } from '@acc/contract'
import { ERRORS, type ErrorName, errorsOf, isCommonError } from '@acc/contract/core/errors'

const PUBLIC = 'http://127.0.0.1:8080'

export type Browser = {
  /** Opens an address; a redirect is returned, not followed. */
  open(url: string): Promise<{ status: number; location: string | null; text: string }>
  /** Follows redirects until one leads to an address that begins with `end`. */
  follow(url: string, end: string): Promise<string>
  cookie(origin: string, name: string): string | undefined
  setCookie(origin: string, name: string, value: string): void
  /** Deletes the cookies of an origin. */
  forget(origin: string): void
}

/** A redirect carries its error past the runner, which holds thrown ones against their route. */
function requireDeclared(location: string): void {
  const code = new URL(location).searchParams.get('ssoError')
  const declared = new Set([...errorsOf(api.sso.callback), ...errorsOf(api.sso.login)])
  const isDeclared = (Object.keys(ERRORS) as ErrorName[]).some(
    (name) => String(ERRORS[name].code) === code && (declared.has(name) || isCommonError(name)),
  )
  if (code !== null && !isDeclared) throw new Error(`single sign-on ends with ${code}, which its calls do not list`)
}

/** Opens a browser that reaches the server under test at `baseUrl` instead of its public address. */
export function openBrowser(baseUrl: string): Browser {
  const jar = new Map<string, Map<string, string>>()
  const cookiesOf = (origin: string) => {
    const cookies = jar.get(origin) ?? new Map<string, string>()
    jar.set(origin, cookies)
    return cookies
  }
  async function open(url: string) {
    const target = new URL(url.replace(PUBLIC, baseUrl))
    const cookies = cookiesOf(target.origin)
    const response = await fetch(target, {
      redirect: 'manual',
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '), accept: 'text/html' },
    })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (value === '' || /expires=Thu, 01 Jan 1970/i.test(line)) cookies.delete(name)
      else cookies.set(name, value)
    }
    const location = response.headers.get('location')
    if (location !== null) requireDeclared(new URL(location, target).href)
    return {
      status: response.status,
      location: location === null ? null : new URL(location, target).href.replace(baseUrl, PUBLIC),
      text: await response.text(),
    }
  }
  async function follow(url: string, end: string): Promise<string> {
    for (let steps = 0, at = url; steps < 12; steps++) {
      const { status, location, text } = await open(at)
      if (location === null) throw new Error(`${at} answers ${status}: ${text.slice(0, 300)}`)
      if (location.startsWith(end)) return location
      at = location
    }
    throw new Error('too many redirects')
  }
  return {
    open,
    follow,
    cookie: (origin, name) => cookiesOf(origin).get(name),
    forget: (origin) => void jar.delete(origin),
    setCookie: (origin, name, value) => void cookiesOf(origin).set(name, value),
  }
}

export const CALLBACK = `${PUBLIC}/Sso/Callback`
export const PORTAL = `${PUBLIC}/acc/`
