// OpenAPI 3.1 of every call, drawn from the contract: paths, inputs, answers in their envelope, access and error codes.
import { filePartOf } from '@acc/contract/core/client'
import { ERRORS, errorsOf } from '@acc/contract/core/errors'
import { MAX_ROWS } from '@acc/contract/core/paging'
import type { Route, Routes } from '@acc/contract/core/route'
import { z } from 'zod'
import { SERVER_VERSION } from '../version.ts'

type Schema = Record<string, unknown>
const FormSchema = z.object({
  properties: z.record(z.string(), z.unknown()).optional(),
  required: z.array(z.string()).optional(),
})

const schemaOf = (schema: z.ZodType, io: 'input' | 'output'): Schema =>
  z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    reused: 'inline',
    override: ({ zodSchema, jsonSchema }) => {
      // A moment that the server holds as a Date goes out as text.
      if (zodSchema instanceof z.ZodPipe) Object.assign(jsonSchema, { type: 'string', format: 'date-time' })
    },
  }) as Schema

const envelopeOf = (data: Schema): Schema => ({
  type: 'object',
  required: ['errorCode', 'message'],
  properties: { errorCode: { type: 'integer', description: '0 is success' }, message: { type: 'string' }, data },
})

function accessText({ access }: Route): string {
  if (typeof access === 'string') return access
  return `level ${access.level} on ${access.pages.join(' or ')}`
}

const errorsText = (route: Route) =>
  errorsOf(route).length === 0
    ? ''
    : `\n\nErrors: ${errorsOf(route)
        .map((name) => `${ERRORS[name].code} ${name}`)
        .join(', ')}.`

function contentOf(route: Route): Schema {
  if (route.kind === 'download') return { 'application/octet-stream': {} }
  if (route.kind === 'page') return { 'text/html': {} }
  if (route.kind === 'events') return { 'text/event-stream': { schema: schemaOf(route.data, 'output') } }
  const data = schemaOf(route.data, 'output')
  if (route.kind !== 'list') return { 'application/json': { schema: envelopeOf(data) } }
  const bounded = { allOf: [data, { properties: { items: { maxItems: route.maxRows ?? MAX_ROWS } } }] }
  return { 'application/json': { schema: envelopeOf(bounded) }, 'text/csv': {} }
}

function parametersOf(route: Route): Schema[] {
  const { properties = {}, required = [] } = schemaOf(route.input, 'input') as {
    properties?: Record<string, Schema>
    required?: string[]
  }
  const maxRows = 'maxRows' in route ? route.maxRows : undefined
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema,
    ...(name === 'rowsCount' &&
      maxRows !== undefined && { description: `At most ${maxRows} as JSON; CSV has no limit.` }),
  }))
}

function bodyOf(route: Route): Schema {
  if (route.kind === 'upload') return { 'application/octet-stream': {} }
  if (route.kind !== 'form') return { 'application/json': { schema: schemaOf(route.input, 'input') } }
  const { properties = {}, required = [] } = FormSchema.parse(schemaOf(route.input, 'input'))
  const part = filePartOf(route)
  const file = { type: 'string', format: 'binary', description: `At most ${route.maxFile} bytes.` }
  const schema = {
    type: 'object',
    properties: { ...properties, [part]: file },
    required: [...required, part],
  }
  return { 'multipart/form-data': { schema } }
}

function operationOf(domain: string, name: string, route: Route): Schema {
  const isInQuery = route.method === 'GET' || route.kind === 'upload'
  return {
    operationId: `${domain}.${name}`,
    tags: [domain],
    summary: `${route.method} ${route.path}`,
    description: `Access: ${accessText(route)}.${errorsText(route)}${route.assumed ? '\n\nA path of ours: the specification shows none.' : ''}`,
    ...(isInQuery && { parameters: parametersOf(route) }),
    ...((!isInQuery || route.kind === 'upload') && { requestBody: { content: bodyOf(route) } }),
    responses:
      route.kind === 'redirect'
        ? { 302: { description: 'The address where the browser goes on' } }
        : { 200: { description: 'The envelope', content: contentOf(route) } },
  }
}

/** The whole reference as one document. */
export function openApiOf(api: Record<string, Routes>): Schema {
  const paths: Record<string, Schema> = {}
  for (const [domain, routes] of Object.entries(api)) {
    for (const [name, route] of Object.entries(routes)) {
      paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operationOf(domain, name, route) }
    }
  }
  return { openapi: '3.1.0', info: { title: 'ACC', version: SERVER_VERSION }, paths }
}
