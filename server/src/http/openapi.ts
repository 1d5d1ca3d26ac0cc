// OpenAPI 3.1 of every call, generated from the contract: how to call, inputs, data, errors and access.
import { filePartOf } from '@acc/contract/core/client'
import { errorsOf } from '@acc/contract/core/errors'
import { MAX_ROWS } from '@acc/contract/core/paging'
import type { Route, Routes } from '@acc/contract/core/route'
import { z } from 'zod'
import { SERVER_VERSION } from '../version.ts'
import { SESSION_COOKIE } from './cookies.ts'
import { MARKER } from './marker.ts'
import { readComments } from './openapi.comments.ts'
import { COMMON_ERROR, errorSchemas, refTo, type Schema, schemasInto } from './openapi.schemas.ts'

type Convert = ReturnType<typeof schemasInto>

const FormSchema = z.object({
  properties: z.record(z.string(), z.unknown()).optional(),
  required: z.array(z.string()).optional(),
})

const INTRODUCTION = `Every call of ACC, generated from the contract that the server enforces.

**Sign in** with \`POST /Account/Login\`: the response sets the session cookie. Desktop clients call \`POST /Agent/Login\` and
send its token as a bearer; BIM servers send their id as a bearer, from their registered address.

**Writes** (POST, PUT, DELETE) need the header \`${MARKER.name}: ${MARKER.value}\`, except those of BIM servers.

**Answers** are JSON with HTTP 200: \`errorCode\` 0 with \`data\`, or an error with its code, its name as \`message\` and, for some,
\`data\`. Other HTTP statuses come from the transport: 404 unknown call, 408 too slow, 409 a file that a browser
navigated to and does not get (with the code of the error), 413 too large, 415 media type,
421 unknown host, 500 a defect, 503 not ready (try again after \`Retry-After\` seconds).

**Lists** page by \`rowsAfter\` and \`rowsCount\`. With \`Accept: text/csv\` they answer all rows as a CSV file, in the language of
\`Accept-Language\` and the time zone of \`X-Time-Zone\`. Arrays in a query may be repeated keys, indexed keys or comma lists.`

const SECURITY_SCHEMES = {
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: SESSION_COOKIE,
    description: 'Set by a sign-in. With https: __Host-acc',
  },
  agent: { type: 'http', scheme: 'bearer', description: 'The token of POST /Agent/Login' },
  bimServer: { type: 'http', scheme: 'bearer', description: 'The id of a BIM server' },
}

function securityOf({ access }: Route): Schema[] {
  if (access === 'public') return []
  return [{ [access === 'agent' || access === 'bimServer' ? access : 'session']: [] }]
}

function accessText({ access }: Route): string {
  if (typeof access === 'string') return access
  return `level ${access.level} on ${access.pages.join(' or ')}`
}

const isInQuery = (route: Route) => route.method === 'GET' || route.kind === 'upload'

const errorRefsOf = (route: Route) => [COMMON_ERROR, ...new Set(errorsOf(route))].map(refTo)

function envelopeOf(data: Schema, route: Route): Schema {
  const success = {
    type: 'object',
    required: ['errorCode', 'message', 'data'],
    properties: { errorCode: { const: 0 }, message: { const: '' }, data },
  }
  return { oneOf: [success, ...errorRefsOf(route)] }
}

function failureOf(route: Route): Schema {
  const [common, ...own] = errorRefsOf(route)
  return { schema: own.length === 0 ? common : { oneOf: [common, ...own] } }
}

/** Returns the bodies of a response with HTTP 200 by their media types. */
function contentOf(route: Route, convert: Convert): Schema {
  const json = 'application/json'
  if (route.kind === 'download')
    return { [route.mediaType ?? 'application/octet-stream']: {}, [json]: failureOf(route) }
  if (route.kind === 'page') return { 'text/html': {}, [json]: failureOf(route) }
  if (route.kind === 'events')
    return { 'text/event-stream': { schema: convert(route.data, 'output') }, [json]: failureOf(route) }
  const data = convert(route.data, 'output')
  if (route.kind !== 'list') return { [json]: { schema: envelopeOf(data, route) } }
  const bounded = { allOf: [data, { properties: { items: { maxItems: route.maxRows ?? MAX_ROWS } } }] }
  return { [json]: { schema: envelopeOf(bounded, route) }, 'text/csv': { schema: { type: 'string' } } }
}

function queryOf(route: Route, convert: Convert): Schema[] {
  const { properties = {}, required = [] } = convert(route.input, 'input') as {
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

function parametersOf(route: Route, convert: Convert): Schema[] {
  const needsMarker = route.method !== 'GET' && route.access !== 'bimServer'
  return [
    ...(needsMarker ? [{ $ref: '#/components/parameters/marker' }] : []),
    ...(isInQuery(route) ? queryOf(route, convert) : []),
  ]
}

function bodyOf(route: Route, convert: Convert): Schema {
  if (route.kind === 'upload') return { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } }
  if (route.kind !== 'form') return { 'application/json': { schema: convert(route.input, 'input') } }
  const { properties = {}, required = [] } = FormSchema.parse(convert(route.input, 'input'))
  const part = filePartOf(route)
  const file = { type: 'string', format: 'binary', description: `At most ${route.maxFile} bytes.` }
  return {
    'multipart/form-data': {
      schema: { type: 'object', properties: { ...properties, [part]: file }, required: [...required, part] },
    },
  }
}

const responsesOf = (route: Route, convert: Convert): Schema => ({
  ...(route.kind === 'redirect'
    ? { 302: { description: 'The address that the browser opens next' } }
    : { 200: { description: 'Data or an error', content: contentOf(route, convert) } }),
  '4XX': { $ref: '#/components/responses/Transport' },
  '5XX': { $ref: '#/components/responses/Transport' },
})

function operationOf(domain: string, name: string, route: Route, comment: string, convert: Convert): Schema {
  const hasBody = !isInQuery(route) || route.kind === 'upload'
  const [summary = ''] = comment.split(/(?<=\.) (?=[A-Z])/)
  return {
    operationId: `${domain}.${name}`,
    tags: [domain],
    summary: summary.replace(/\.$/, ''),
    description: `${comment}\n\nAccess: ${accessText(route)}.${route.assumed ? '\n\nA path of ours: the specification shows none.' : ''}`,
    security: securityOf(route),
    parameters: parametersOf(route, convert),
    ...(hasBody && { requestBody: { required: true, content: bodyOf(route, convert) } }),
    responses: responsesOf(route, convert),
  }
}

const TRANSPORT = {
  description: 'The transport refused the call, or the server failed',
  content: {
    'application/json': {
      schema: {
        type: 'object',
        required: ['errorCode', 'message'],
        properties: {
          errorCode: { type: 'integer', description: 'The HTTP status' },
          message: { type: 'string' },
          data: { type: 'object', properties: { requestId: { type: 'string' } } },
        },
      },
    },
  },
}

/** Returns the whole reference as one document. */
export function openApiOf(api: Record<string, Routes>): Schema {
  const commentOf = readComments()
  const routes = Object.values(api).flatMap((domain) => Object.values(domain))
  const schemas = errorSchemas(routes.flatMap(errorsOf))
  const convert = schemasInto(schemas)
  const paths: Record<string, Schema> = {}
  for (const [domain, routes] of Object.entries(api)) {
    for (const [name, route] of Object.entries(routes)) {
      const operation = operationOf(domain, name, route, commentOf(domain, name), convert)
      paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operation }
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'ACC',
      version: SERVER_VERSION,
      description: INTRODUCTION,
      license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
    },
    servers: [{ url: '/' }],
    tags: Object.keys(api).map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: SECURITY_SCHEMES,
      parameters: {
        marker: { name: MARKER.name, in: 'header', required: true, schema: { const: MARKER.value } },
      },
      responses: { Transport: TRANSPORT },
      schemas,
    },
  }
}
