// The OpenAPI document: valid, complete without other pages, and the same limits that the calls enforce.
import { api } from '@acc/contract'
import { ERRORS } from '@acc/contract/core/errors'
import { MAX_ROWS } from '@acc/contract/core/paging'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { openApiOf } from './openapi.ts'

const Parameter = z.object({
  name: z.string(),
  description: z.string().optional(),
  schema: z.object({ enum: z.array(z.unknown()).optional(), description: z.string().optional() }),
})
const Operation = z.object({ parameters: z.array(Parameter) })

function parametersOf(path: string) {
  const { parameters } = Operation.parse(document.paths[path]?.get)
  return new Map(parameters.map((parameter) => [parameter.name, parameter]))
}

const Document = z.object({
  paths: z.record(
    z.string(),
    z.record(
      z.string(),
      z.looseObject({ operationId: z.string(), description: z.string(), security: z.array(z.unknown()) }),
    ),
  ),
  components: z.object({ schemas: z.record(z.string(), z.unknown()) }),
})
const document = Document.parse(openApiOf(api))

test('the document is valid', async () => {
  const config = await createConfig({ extends: ['recommended'] })
  const problems = await lintFromString({ source: JSON.stringify(openApiOf(api)), absoluteRef: 'openapi.json', config })
  const errors = problems.filter(({ severity }) => severity === 'error')
  expect(errors.map(({ ruleId, message, location: [at] }) => `${ruleId}: ${message} at ${at?.pointer}`)).toEqual([])
})

test('every call says what it does, before who may call it', () => {
  const silent = Object.values(document.paths)
    .flatMap((methods) => Object.values(methods))
    .filter(({ description }) => !/^[A-Z][\s\S]+[.;]\n\nAccess: /.test(description))
  expect(silent.map(({ operationId }) => operationId)).toEqual([])
})

test('every call names how to authenticate, and every write the header that it needs', () => {
  expect(document.paths['/Users/Search']?.get?.security).toEqual([{ session: [] }])
  expect(document.paths['/Agent/Policy']?.get?.security).toEqual([{ agent: [] }])
  expect(document.paths['/BimServer/Rules']?.get?.security).toEqual([{ bimServer: [] }])
  expect(document.paths['/Configs']?.get?.security).toEqual([])
  expect(document.paths['/User']?.post).toMatchObject({ parameters: [{ $ref: '#/components/parameters/marker' }] })
  expect(document.paths['/BimServer/Heartbeat']?.post).toMatchObject({ parameters: [] })
})

test('errors are a shape of their own, with the data that they carry', () => {
  const { schemas } = document.components
  expect(schemas.CommonError).toMatchObject({
    oneOf: expect.arrayContaining([{ $ref: '#/components/schemas/NO_SESSION' }]),
  })
  expect(schemas.INVALID_INPUT).toMatchObject({
    properties: {
      errorCode: { const: ERRORS.INVALID_INPUT.code },
      data: { properties: { fields: { type: 'array' } } },
    },
  })
  expect(schemas.OTP_NOT_REGISTERED).toMatchObject({
    properties: { errorCode: { const: 110 }, data: { required: ['otpSecret', 'qrCodeBase64'] } },
  })
  expect(JSON.stringify(document.paths['/Account/Login'])).toContain('#/components/schemas/OTP_NOT_REGISTERED')
  expect(JSON.stringify(document.paths['/User'])).not.toContain('#/components/schemas/OTP_NOT_REGISTERED')
})

test('moments are texts, and arrays are arrays', () => {
  expect(document.paths['/BimServer/Heartbeat']?.post).toMatchObject({
    requestBody: {
      content: {
        'application/json': {
          schema: { properties: { connections: { type: 'array', maxItems: 5000, items: { type: 'object' } } } },
        },
      },
    },
  })
  expect(JSON.stringify(document.paths['/Sso/Policy']?.post)).not.toContain('date-time')
  expect(JSON.stringify(document.paths['/Account/Session']?.get)).toContain(
    '"sessionExpireDT":{"type":"string","format":"date-time"}',
  )
})

test('a download names its media type, and the errors that come in its place', () => {
  expect(document.paths['/FileEximport/Download']?.get).toMatchObject({
    responses: { 200: { content: { 'application/zip': {}, 'application/json': { schema: {} } } } },
  })
  expect(document.paths['/Account/AccManual']?.get).toMatchObject({
    responses: { 200: { content: { 'application/pdf': {} } } },
  })
})

test('a list names its bound of rows, its sort columns, its filters and what a period includes', () => {
  const parameters = parametersOf('/Logs/UserManage')
  expect(parameters.get('rowsCount')?.description).toBe(`At most ${MAX_ROWS} as JSON; CSV has no limit.`)
  expect(parameters.get('sort')?.schema.enum).toEqual(
    expect.arrayContaining(['idx', 'logDT', 'type', 'targetId', 'targetName', 'actorName']),
  )
  expect([...parameters.keys()]).toEqual(expect.arrayContaining(['type', 'targetId', 'targetName', 'actorId']))
  expect(parameters.get('logSDT')?.schema.description).toBe('From this moment on')
  expect(parameters.get('logEDT')?.schema.description).toBe('Before this moment')
})

test('a form names its file, with its size, next to its fields', () => {
  expect(document.paths['/Infos/LoginPageLogo']?.post).toMatchObject({
    requestBody: {
      content: {
        'multipart/form-data': {
          schema: { required: ['file'], properties: { file: { description: 'At most 1048576 bytes.' } } },
        },
      },
    },
  })
})
