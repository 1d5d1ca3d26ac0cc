// The built console under the front route: index.html for the route itself, hashed assets beside it for a year.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'

const DIST = join(import.meta.dirname, '../../../console/dist')
const YEAR = 365 * 24 * 3600

/** Serves the console's build where there is one; without it (API tests) only the calls are there. */
export async function serveConsole(http: FastifyInstance, frontRoute: string): Promise<void> {
  http.get('/', (_request, reply) => reply.redirect(`${frontRoute}/`))
  if (!existsSync(join(DIST, 'index.html'))) return
  await http.register(fastifyStatic, {
    root: DIST,
    // Without a slash at its end: the address that people reload is the front route to the letter, and leads to the index.
    prefix: frontRoute,
    index: 'index.html',
    redirect: true,
    cacheControl: false,
    // The build lies compressed beside itself.
    preCompressed: true,
    setHeaders: (reply, path) => {
      const isHashed = path.includes('/assets/')
      reply.header('cache-control', isHashed ? `public, max-age=${YEAR}, immutable` : 'no-cache')
    },
  })
}
