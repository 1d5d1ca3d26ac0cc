// The reference of every call, from the same contract that the runner enforces: /Docs shows it, /Docs/openapi.json is it.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { api } from '@acc/contract'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { openApiOf } from './openapi.ts'

const SWAGGER_UI = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))
const SHOWN = ['swagger-ui.css', 'swagger-ui-bundle.js']
// Swagger UI styles its parts in place and draws its icons from data addresses; its script is as strictly held as ours.
const POLICY =
  "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; object-src 'none'; base-uri 'none'; frame-ancestors 'none'"
const PAGE = join(import.meta.dirname, 'docs')

/** Serves the page, its two parts of Swagger UI, and the document. */
export async function serveDocs(http: FastifyInstance): Promise<void> {
  // Made when it is first asked for: most servers never are.
  let document: ReturnType<typeof openApiOf> | undefined
  const page = readFileSync(join(PAGE, 'index.html'), 'utf8')
  const script = readFileSync(join(PAGE, 'start.js'), 'utf8')
  http.get('/Docs/openapi.json', async () => {
    document ??= openApiOf(api)
    return document
  })
  http.get('/Docs', (_request, reply) =>
    reply.type('text/html; charset=utf-8').header('content-security-policy', POLICY).send(page),
  )
  http.get('/Docs/start.js', (_request, reply) => reply.type('text/javascript; charset=utf-8').send(script))
  await http.register(fastifyStatic, {
    root: SWAGGER_UI,
    prefix: '/Docs/',
    decorateReply: false,
    index: false,
    allowedPath: (path) => SHOWN.includes(path.slice(1)),
  })
}
