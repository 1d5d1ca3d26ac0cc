// The input that a form sends, and the fields that an error of the server refers to.
import type { ApiError } from '@acc/contract/core/client'
import { z } from 'zod'

type Values = Record<string, unknown>

/** Drops empty optional fields. */
export function withoutEmpty(values: Values, shape: Record<string, z.ZodType>): Values {
  const entries = Object.entries(values).map(([name, value]) => {
    const isEmpty = value === '' || value === null
    const field = shape[name]
    return [name, isEmpty && field && !field.safeParse(value).success ? undefined : value]
  })
  return Object.fromEntries(entries)
}

/** Fills empty texts with their placeholders. */
export const withPlaceholders = (values: Values, placeholders: Partial<Record<string, string>> = {}): Values =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, value === '' ? (placeholders[name] ?? value) : value]),
  )

/** Returns the maximum length of a text schema. */
export function maxLengthOf(schema: z.core.$ZodType | undefined): number | undefined {
  if (schema instanceof z.ZodString) return schema.maxLength ?? undefined
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    return maxLengthOf(schema.unwrap())
  return undefined
}

/** Returns the values whose names `isKept` accepts. */
export const only = (values: Values, isKept: (name: string) => boolean): Values =>
  Object.fromEntries(Object.entries(values).filter(([name]) => isKept(name)))

const NamedFields = z.object({ fields: z.union([z.array(z.string()), z.record(z.string(), z.unknown())]) })

/** Returns the fields that a 983 names. */
function findNamedFields(error: ApiError): string[] {
  const read = NamedFields.safeParse(error.data)
  if (error.error !== 'INVALID_INPUT' || !read.success) return []
  return Array.isArray(read.data.fields) ? read.data.fields : Object.keys(read.data.fields)
}

/** Returns the fields that the error refers to: mapped from its name by the form, or at the end of a path of a 983. */
export function fieldsOf(error: ApiError, names: readonly string[], byName: Partial<Record<string, string>>): string[] {
  const one = error.error ? byName[error.error] : undefined
  return one === undefined
    ? names.filter((name) => findNamedFields(error).some((path) => path.split('.').at(-1) === name))
    : [one]
}
