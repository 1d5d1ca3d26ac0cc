// Serves the built console under the front route: index.html for the route itself, hashed assets for a year.
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

const DIST = join(import.meta.dirname, '../../../console/dist')
const INDEX = join(DIST, 'index.html')
const YEAR = '365 days'

/** Serves the console's build where there is one; without it (API tests) only the calls are there. */
export async function serveConsole(http: FastifyInstance, frontRoute: string): Promise<void> {
  // A token or target in the query (spec S1 §2) survives the redirect.
  const redirect = ({ url }: FastifyRequest, reply: FastifyReply) =>
    reply.redirect(`${frontRoute}/${url.includes('?') ? url.slice(url.indexOf('?')) : ''}`)
  http.get('/', redirect)
  if (!existsSync(INDEX)) return
  await http.register(fastifyStatic, {
    root: join(DIST, 'assets'),
    prefix: `${frontRoute}/assets/`,
    index: false,
    // Each file of the build also exists in compressed form.
    preCompressed: true,
    maxAge: YEAR,
    immutable: true,
  })
  // Assets are relative to the page, so the front route ends with a slash. An address that people reload may not.
  http.get(frontRoute, redirect)
  // Screens have no addresses of their own: every other path below the front route redirects to it (spec S1 §2).
  http.get(`${frontRoute}/*`, redirect)
  http.get(`${frontRoute}/`, async (_request, reply) =>
    reply
      .type('text/html; charset=utf-8')
      .header('cache-control', 'no-cache')
      .send(await readFile(INDEX)),
  )
}
