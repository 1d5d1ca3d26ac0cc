// JSON Schemas of the contract for the OpenAPI document: inputs and data, and a schema for each error.
import { ERRORS, type ErrorName, isCommonError } from '@acc/contract/core/errors'
import sentences from '@acc/contract/core/errors.en'
import { errorDataOf } from '@acc/contract/errorData'
import { z } from 'zod'

export type Schema = Record<string, unknown>

/** Where schemas are that several calls share. */
const SHARED = '#/components/schemas/'
export const refTo = (name: string): Schema => ({ $ref: `${SHARED}${name}` })

const isMoment = (schema: z.core.$ZodType) => schema instanceof z.ZodPipe && schema.def.out instanceof z.ZodTransform

/** Describes values that JSON Schema cannot express: moments that the server holds as a Date, and bounded lists. */
function describe(schema: z.core.$ZodType, jsonSchema: Schema, io: 'input' | 'output'): void {
  if (schema instanceof z.ZodUnion && schema.options.some(isMoment)) {
    for (const key of Object.keys(jsonSchema)) delete jsonSchema[key]
    Object.assign(jsonSchema, { type: 'string', format: 'date-time' })
  } else if (schema instanceof z.ZodPipe && schema.def.in instanceof z.ZodArray) {
    const { maxItems } = jsonSchema
    Object.assign(jsonSchema, convert(schema.def.out, io), maxItems !== undefined && { maxItems })
  }
}

const convert = (schema: z.core.$ZodType, io: 'input' | 'output'): Schema =>
  z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    reused: 'inline',
    override: ({ zodSchema, jsonSchema }) => describe(zodSchema, jsonSchema, io),
  }) as Schema

/** Returns a function that converts schemas and collects into `shared` those that refer to themselves. */
export const schemasInto =
  (shared: Record<string, Schema>) =>
  (schema: z.ZodType, io: 'input' | 'output'): Schema => {
    const text = JSON.stringify(convert(schema, io)).replaceAll('"#/$defs/', `"${SHARED}`)
    const { $schema: _dialect, $defs, ...converted } = JSON.parse(text) as Schema & { $defs?: Record<string, Schema> }
    Object.assign(shared, $defs)
    return converted
  }

export const COMMON_ERROR = 'CommonError'

/** Returns a schema for each listed error by its name, and those of the errors that every call may return. */
export function errorSchemas(listed: readonly ErrorName[]): Record<string, Schema> {
  const common = (Object.keys(ERRORS) as ErrorName[]).filter(isCommonError)
  const schemaOf = (name: ErrorName): Schema => {
    const data = errorDataOf(name)
    return {
      type: 'object',
      description: sentences[name],
      required: ['errorCode', 'message'],
      properties: {
        errorCode: { const: ERRORS[name].code },
        message: { const: name },
        ...(data !== undefined && { data: schemasInto({})(data, 'output') }),
      },
    }
  }
  return {
    ...Object.fromEntries([...common, ...listed].map((name) => [name, schemaOf(name)])),
    [COMMON_ERROR]: { oneOf: common.map(refTo) },
  }
}
