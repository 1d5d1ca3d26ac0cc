// The reference page says of a list what its calls enforce.
import { api } from '@acc/contract'
import { MAX_ROWS } from '@acc/contract/core/paging'
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
  const document = z.object({ paths: z.record(z.string(), z.record(z.string(), z.unknown())) }).parse(openApiOf(api))
  const { parameters } = Operation.parse(document.paths[path]?.get)
  return new Map(parameters.map((parameter) => [parameter.name, parameter]))
}

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

test('a form names its file, with its size, beside its fields', () => {
  const document = z.object({ paths: z.record(z.string(), z.record(z.string(), z.unknown())) }).parse(openApiOf(api))
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
