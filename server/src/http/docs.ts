// The reference of every call, from the same contract that the runner enforces: /Docs and /Docs/openapi.json.
import { api } from '@acc/contract'
import scalar from '@scalar/fastify-api-reference'
import type { FastifyInstance } from 'fastify'
import { openApiOf } from './openapi.ts'

export async function serveDocs(http: FastifyInstance): Promise<void> {
  const document = openApiOf(api)
  http.get('/Docs/openapi.json', async () => document)
  await http.register(scalar, { routePrefix: '/Docs', configuration: { content: document, withDefaultFonts: false } })
}
