// The reference of all calls, generated from the contract: /Docs shows it, /Docs/openapi.json is the document.
import { createReadStream, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { api } from '@acc/contract'
import type { FastifyInstance } from 'fastify'
import { openApiOf } from './openapi.ts'
import { agreeOnGzip, pack, packed } from './packed.ts'

const SWAGGER_UI = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))
const SHOWN = [
  ['swagger-ui.css', 'text/css'],
  ['swagger-ui-bundle.js', 'text/javascript'],
] as const
// Swagger UI styles its parts in place and draws its icons from data addresses; its script is as strictly held as ours.
const POLICY =
  "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
const PAGE = join(import.meta.dirname, 'docs')

/** Serves the page, its two parts of Swagger UI, and the document. */
export function serveDocs(http: FastifyInstance): void {
  // Written when it is first asked for: most servers never are, and writing it takes as long as many other calls.
  let document: string | undefined
  const page = readFileSync(join(PAGE, 'index.html'), 'utf8')
  const script = readFileSync(join(PAGE, 'start.js'), 'utf8')
  http.get('/Docs/openapi.json', { onSend: packed(), compress: false }, async (_request, reply) => {
    document ??= JSON.stringify(openApiOf(api))
    return reply.type('application/json; charset=utf-8').send(document)
  })
  http.get('/Docs', (_request, reply) =>
    reply.type('text/html; charset=utf-8').header('content-security-policy', POLICY).send(page),
  )
  // The page has no icon; browsers ask for one.
  http.get('/favicon.ico', (_request, reply) => reply.code(204).send())
  http.get('/Docs/start.js', (_request, reply) => reply.type('text/javascript; charset=utf-8').send(script))
  for (const [name, type] of SHOWN) {
    const path = join(SWAGGER_UI, name)
    let bytes: Promise<Buffer> | undefined
    http.get(`/Docs/${name}`, { compress: false }, async (request, reply) => {
      reply.type(`${type}; charset=utf-8`)
      if (!agreeOnGzip(request, reply)) return reply.send(createReadStream(path))
      bytes ??= readFile(path).then((content) => pack(content).gzip)
      return reply.send(await bytes)
    })
  }
}
