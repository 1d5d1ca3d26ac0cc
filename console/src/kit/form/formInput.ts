// What a form sends, and which of its fields an error of the server speaks of.
import type { ApiError } from '@acc/contract/core/client'
import { z } from 'zod'

type Values = Record<string, unknown>

/** An empty optional field is not sent at all. */
export function withoutEmpty(values: Values, shape: Record<string, z.ZodType>): Values {
  const entries = Object.entries(values).map(([name, value]) => {
    const isEmpty = value === '' || value === null
    const field = shape[name]
    return [name, isEmpty && field && !field.safeParse(value).success ? undefined : value]
  })
  return Object.fromEntries(entries)
}

/** The most characters that a schema of text allows. */
export function maxLengthOf(schema: z.core.$ZodType | undefined): number | undefined {
  if (schema instanceof z.ZodString) return schema.maxLength ?? undefined
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    return maxLengthOf(schema.unwrap())
  return undefined
}

/** Only what `isKept` names. */
export const only = (values: Values, isKept: (name: string) => boolean): Values =>
  Object.fromEntries(Object.entries(values).filter(([name]) => isKept(name)))

const Named = z.object({ fields: z.union([z.array(z.string()), z.record(z.string(), z.unknown())]) })

/** The fields that a 983 names. */
function namedFields(error: ApiError): string[] {
  const read = Named.safeParse(error.data)
  if (error.error !== 'INVALID_INPUT' || !read.success) return []
  return Array.isArray(read.data.fields) ? read.data.fields : Object.keys(read.data.fields)
}

/** Of the form's fields those that the error is about: as the form says for its name, or as a 983 lists them. */
export function fieldsOf(error: ApiError, names: readonly string[], byName: Partial<Record<string, string>>): string[] {
  const one = error.error ? byName[error.error] : undefined
  return one === undefined ? names.filter((name) => namedFields(error).includes(name)) : [one]
}
