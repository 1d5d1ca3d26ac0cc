// Serves the built console under the front route: index.html for the route itself, hashed assets for a year.
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/** The folder of the console's build. */
export const CONSOLE: string = join(import.meta.dirname, '../../../console/dist')
const YEAR = '365 days'

/** Serves the build in `folder` where there is one; without it (API tests) only the calls are there. */
export async function serveConsole(http: FastifyInstance, frontRoute: string, folder: string): Promise<void> {
  const index = join(folder, 'index.html')
  // A token or target in the query (spec S1 §2) survives the redirect.
  const redirect = ({ url }: FastifyRequest, reply: FastifyReply) =>
    reply.redirect(`${frontRoute}/${url.includes('?') ? url.slice(url.indexOf('?')) : ''}`)
  http.get('/', redirect)
  if (!existsSync(index)) return
  await http.register(fastifyStatic, {
    root: join(folder, 'assets'),
    // The plugin's own route would read the folder at each request.
    serve: false,
    index: false,
    // Each file of the build also exists in compressed form.
    preCompressed: true,
    maxAge: YEAR,
    immutable: true,
  })
  http.get<{ Params: { '*': string } }>(`${frontRoute}/assets/*`, ({ params }, reply) => reply.sendFile(params['*']))
  // Assets are relative to the page, so the front route ends with a slash. An address that people reload may not.
  http.get(frontRoute, redirect)
  // Screens have no addresses of their own: every other path below the front route redirects to it (spec S1 §2).
  http.get(`${frontRoute}/*`, redirect)
  http.get(`${frontRoute}/`, async (_request, reply) =>
    reply
      .type('text/html; charset=utf-8')
      .header('cache-control', 'no-cache')
      .send(await readFile(index)),
  )
}
