// The input that a form sends, and the fields that an error of the server refers to.
import type { ApiError } from '@acc/contract/core/client'
import type { Route } from '@acc/contract/core/route'
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

const isWrapped = (schema: z.core.$ZodType) =>
  schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault

/** Returns the maximum length of a text schema. */
export function maxLengthOf(schema: z.core.$ZodType | undefined): number | undefined {
  if (schema instanceof z.ZodString) return schema.maxLength ?? undefined
  return schema && isWrapped(schema) ? maxLengthOf(schema.unwrap()) : undefined
}

/** Returns the names of the secret fields, at any depth: the contract gives them the format of passwords. */
export function secretsIn(schema: z.core.$ZodType, name = ''): string[] {
  if (isWrapped(schema)) return secretsIn(schema.unwrap(), name)
  if (schema instanceof z.ZodObject)
    return Object.entries(schema.shape).flatMap(([key, field]) => secretsIn(field, key))
  return z.globalRegistry.get(schema)?.format === 'password' ? [name] : []
}

/** Names the draft of a form by its call and record. Drafts of all versions of the record are one. */
export const draftSubject = ({ method, path }: Pick<Route, 'method' | 'path'>, fixed: Values = {}): string =>
  `${method} ${path} ${JSON.stringify(only(fixed, (name) => name !== 'revision'))}`

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
