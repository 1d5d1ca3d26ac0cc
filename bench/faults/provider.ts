// The identity provider refuses, says nothing, sends something else or breaks off, when people sign on and when they come back.
import { randomBytes } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { CALLBACK, openBrowser, PORTAL } from '@acc/server/test/oidc/browser.ts'
import { startDefectiveProvider } from '@acc/server/test/oidc/defectiveProvider.ts'
import { CLIENT } from '@acc/server/test/oidc/realProvider.ts'
import type { Drill } from '../ha/drill.ts'
import { demand } from '../ha/judge.ts'
import type { Part } from './main.ts'
import { meanwhile } from './meanwhile.ts'

/** Attempts at once; all of them together are fewer than a network may fail. */
const AT_ONCE = 8
/** Milliseconds for which metadata is kept, so that its loss is not noticed. */
const KEPT = 60_000
/** Milliseconds after which a person sees the error. */
const WITHIN = 10_000

const FAULTS: Record<string, (response: ServerResponse) => void> = {
  'refuses with 503': (response) => response.writeHead(503).end(),
  'resets the connection': (response) => response.socket?.resetAndDestroy(),
  'says nothing': () => undefined,
  'sends random bytes': (response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(randomBytes(100_000)),
  'sends without an end': (response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    const drip = setInterval(() => response.write(' '.repeat(100_000)), 10)
    response.once('close', () => clearInterval(drip))
  },
}
const PLACES = { 'asked for its metadata': '/.well-known/openid-configuration', 'asked for a token': '/token' }

export async function openProvider(drill: Drill): Promise<Part> {
  const provider = await startDefectiveProvider()
  drill.atEnd(provider.close)

  /** Signs on as a browser does; returns what the portal is opened with. */
  async function signOn(url: string): Promise<string> {
    const browser = openBrowser(url)
    const { location } = await browser.open(`${url}/Sso/Login`)
    if (location?.startsWith(PORTAL)) return location.slice(PORTAL.length)
    const { code, state } = provider.authorize(new URL(location ?? ''))
    return (await browser.follow(`${CALLBACK}?${new URLSearchParams({ code, state })}`, PORTAL)).slice(PORTAL.length)
  }
  /** Signs several people on at once; returns what they saw, and after how many milliseconds the last of them. */
  async function signAllOn(url: string) {
    const from = performance.now()
    const seen = await Promise.all(Array.from({ length: AT_ONCE }, () => signOn(url)))
    return { seen: [...new Set(seen)], ms: performance.now() - from }
  }

  return {
    options: {
      env: {
        ACC_PUBLIC_URL: new URL(PORTAL).origin,
        ACC_OIDC_ISSUER: provider.issuer,
        ACC_OIDC_CLIENT_ID: CLIENT.id,
        ACC_OIDC_CLIENT_SECRET: CLIENT.secret,
      },
    },
    run: async ({ node, load }, times) => {
      for (let at = 0; at < times; at++)
        for (const [place, path] of Object.entries(PLACES)) {
          await wait(KEPT * Math.min(at, 1))
          for (const [fault, answer] of Object.entries(FAULTS)) {
            provider.defect = { answers: { [path]: answer } }
            await meanwhile(load, `the provider, ${place}, ${fault}`, 2_000, async () => {
              const { seen, ms } = await signAllOn(node.url)
              demand(
                seen.join() === '?ssoError=183' && ms <= WITHIN,
                `${AT_ONCE} people see ${seen.join(' ')} after ${(ms / 1000).toFixed(1)} s (wanted error 183, <= ${WITHIN / 1000} s)`,
              )
            })
          }
          provider.defect = {}
          const { seen } = await signAllOn(node.url)
          demand(seen.join() === '?sso=done', `sound again, the next ${AT_ONCE} sign on (${seen.join(' ')})`)
        }
    },
  }
}
