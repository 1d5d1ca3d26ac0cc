// The headers of every response, made once. A route may replace `cache-control`.
import type { FastifyInstance } from 'fastify'
import type { Env } from '../env.ts'

/** What pages may load and call; `server` is the one that they call, where it is another than theirs. */
const policyOf = (server: string) => ({
  'default-src': "'self'",
  'script-src': "'self'",
  'style-src': "'self'",
  'img-src': "'self' data:",
  'connect-src': server === '' ? "'self'" : `'self' ${server}`,
  'object-src': "'none'",
  'base-uri': "'none'",
  'form-action': "'self'",
  'frame-ancestors': "'none'",
})

const HEADERS = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-dns-prefetch-control': 'off',
  'x-download-options': 'noopen',
  'x-frame-options': 'DENY',
  'x-permitted-cross-domain-policies': 'none',
  'x-xss-protection': '0',
  'cache-control': 'no-store',
}
const HTTPS_HEADERS = { 'strict-transport-security': 'max-age=31536000; includeSubDomains' }

/** Sets the headers that browsers need to keep pages and responses safe, on every response of the server. */
export function setHeaders(http: FastifyInstance, { publicUrl, runtime }: Pick<Env, 'publicUrl' | 'runtime'>): void {
  const policy = Object.entries(policyOf(runtime.serverAddress)).map((directive) => directive.join(' '))
  const headers = {
    ...HEADERS,
    'content-security-policy': policy.join(';'),
    ...(publicUrl.startsWith('https:') && HTTPS_HEADERS),
  }
  http.addHook('onRequest', (_request, reply, done) => {
    reply.headers(headers)
    done()
  })
}
