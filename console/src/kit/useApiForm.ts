// A form on a route of the contract: the route's own schema judges what is typed, the server's errors stand at the
// fields they speak of, text is trimmed when its field is left, and unsaved changes are guarded (S1 sections 4 and 5).
import { ApiError } from '@acc/contract/client'
import type { DataOf, InputOf, Route, Routes } from '@acc/contract/route'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { z } from 'zod'
import { call } from './call.ts'
import { claim } from './errors.ts'
import { errorText } from './errorText.ts'
import { issuesByField } from './formIssues.ts'
import { kitTexts } from './kit.texts.ts'
import { notice } from './notice.tsx'
import { type ErrorsOf, refresh } from './query.ts'
import { useTexts } from './texts.ts'
import { useUnsaved } from './unsaved.ts'

type WriteRoute = Extract<Route, { method: 'POST' | 'PUT' | 'DELETE' }>
type Values<R extends Route> = { [K in keyof InputOf<R>]?: unknown }

type Choices<R extends Route, V extends Values<R>> = {
  /** What the fields start with; a form for another record gets another React `key`. */
  initial: V
  /** Sent along and never edited: idx, revision. */
  fixed?: Partial<InputOf<R>>
  /** `changes`: only changed fields are sent beside the fixed ones. */
  sends?: 'all' | 'changes'
  /** Which field an error of the server speaks of. */
  fields?: Partial<Record<ErrorsOf<R>, keyof V & string>>
  /** What to say of a field whose format is wrong, in place of "does not match the format". */
  messages?: Partial<Record<keyof V & string, string>>
  /** Domains that the save changes. */
  refreshes?: Routes[]
  /** The quiet notice after saving; the kit's "saved" unless told. */
  done?: string
  onDone?: (data: DataOf<R>) => void
}

const NamedFields = z.object({ fields: z.union([z.array(z.string()), z.record(z.string(), z.unknown())]) })

/** The fields that a 983 names. */
function namedFields(error: ApiError): string[] {
  const read = NamedFields.safeParse(error.data)
  if (!read.success) return []
  return Array.isArray(read.data.fields) ? read.data.fields : Object.keys(read.data.fields)
}

/** An empty optional field is not sent at all. */
function withoutEmpty(values: Record<string, unknown>, shape: Record<string, z.ZodType>): Record<string, unknown> {
  const entries = Object.entries(values).map(([name, value]) => {
    const isEmpty = value === '' || value === null
    const field = shape[name]
    return [name, isEmpty && field && !field.safeParse(value).success ? undefined : value]
  })
  return Object.fromEntries(entries)
}

export function useApiForm<R extends WriteRoute, V extends Values<R> & Record<string, unknown>>(
  route: R,
  choices: Choices<R, V>,
) {
  const t = useTexts(kitTexts)
  const [isSaving, setSaving] = useState(false)
  const prepare = (values: V) => withoutEmpty({ ...choices.fixed, ...values }, route.input.shape)
  const form = useForm<V>({
    initialValues: choices.initial,
    validateInputOnBlur: true,
    validate: (values) => {
      const read = route.input.safeParse(prepare(values))
      return read.success ? {} : issuesByField(read.error.issues, values, choices.messages ?? {}, t)
    },
  })
  const names = Object.keys(choices.initial) as (keyof V & string)[]
  const changed = names.filter((name) => form.isDirty(name))
  const isDirty = changed.length > 0
  useUnsaved(isDirty && !isSaving, form.reset)

  /** Puts the error at its field; false where no field is meant. */
  const showAtField = (error: ApiError): boolean => {
    const byName: Partial<Record<string, keyof V & string>> = choices.fields ?? {}
    const one = error.error ? byName[error.error] : undefined
    const found = one
      ? [one]
      : error.error === 'INVALID_INPUT'
        ? names.filter((n) => namedFields(error).includes(n))
        : []
    for (const name of found) form.setFieldError(name, errorText(error))
    return found.length > 0
  }

  const send = async (values: V) => {
    setSaving(true)
    try {
      const all = prepare(values)
      const kept = Object.entries(all).filter(([name]) => choices.fixed?.[name] !== undefined || form.isDirty(name))
      const input = choices.sends === 'changes' ? Object.fromEntries(kept) : all
      const data = await call(route, route.input.parse(input) as InputOf<R>)
      form.resetDirty(values)
      await refresh(...(choices.refreshes ?? []))
      notice(choices.done ?? t('saved'))
      choices.onDone?.(data)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      if (showAtField(error)) claim(error)
    } finally {
      setSaving(false)
    }
  }

  /** Everything an input needs. Passwords are not trimmed: `field('pw', { trims: false })`. */
  const field = (name: keyof V & string, { trims = true } = {}) => {
    const props = form.getInputProps(name)
    return {
      ...props,
      wrapperProps: { 'data-changed': form.isDirty(name) || undefined },
      onBlur: (event: unknown) => {
        const value: unknown = form.getValues()[name]
        if (trims && typeof value === 'string' && value !== value.trim())
          form.setValues((now) => ({ ...now, [name]: value.trim() }))
        props.onBlur?.(event)
      },
    }
  }

  return {
    values: form.values,
    set: <K extends keyof V & string>(name: K, value: V[K]) => form.setValues((now) => ({ ...now, [name]: value })),
    field,
    changed,
    isDirty,
    isSaving,
    /** Why Save cannot be pressed; undefined where it can. */
    whyDisabled: isDirty ? undefined : t('form.unchanged'),
    submit: form.onSubmit(send),
    reset: form.reset,
  }
}
