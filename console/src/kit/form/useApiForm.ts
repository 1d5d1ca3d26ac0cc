// A form on a route of the contract: the route's own schema validates the input, the server's errors are shown at their
// fields, text is trimmed on blur, and unsaved changes are guarded (spec S1 §4, §5).
import { ApiError } from '@acc/contract/core/client'
import type { ErrorsOf } from '@acc/contract/core/errors'
import type { DataOf, InputOf, Route } from '@acc/contract/core/route'
import { useForm } from '@mantine/form'
import { type FormEvent, type ReactNode, useRef, useState } from 'react'
import { call, timeZoneHeader } from '../api/call.ts'
import { markHandled } from '../api/errors.ts'
import { errorText } from '../api/errorText.ts'
import { isOutdated, refresh } from '../api/query.ts'
import { deleteDraft } from '../browser/drafts.ts'
import { showMessage } from '../dialogs/dialogs.tsx'
import { showToast, type ToastLink } from '../dialogs/toast.tsx'
import { kitTexts } from '../texts/kit.texts.ts'
import { useTexts } from '../texts/texts.ts'
import { inputProps, setValue, useFocusOnError, type ValidatedForm } from './formFields.ts'
import { draftSubject, fieldsOf, maxLengthOf, only, secretsIn, withoutEmpty, withPlaceholders } from './formInput.ts'
import { issuesByField } from './formIssues.ts'
import { useMergedForm } from './mergedForm.ts'
import { useUnsaved } from './unsaved.ts'

type WriteRoute = Extract<Route, { method: 'POST' | 'PUT' | 'DELETE' }>
type Values<R extends Route> = { [K in keyof InputOf<R>]?: unknown }

type Choices<R extends Route, V extends Values<R>> = {
  /** Initial values; a form for another record needs another React `key`. */
  initial: V
  /** Sent along and never edited: idx, revision. */
  fixed?: Partial<InputOf<R>>
  /** Builds a nested input of the form's flat values. The last name of a path in it is that of the field. */
  nest?: (values: V) => unknown
  /** Sent for fields that are left empty, which show it as their placeholder. */
  placeholders?: Partial<Record<keyof V & string, string>>
  /** `changes`: only changed fields are sent in addition to the fixed ones. */
  sends?: 'all' | 'changes'
  /** The field that an error of the server belongs to. */
  fields?: Partial<Record<ErrorsOf<R>, keyof V & string>>
  /** Texts that replace the usual ones of errors; undefined keeps the usual one. */
  texts?: Partial<Record<ErrorsOf<R>, string | ((data: unknown) => string | undefined)>>
  /** Titles of the dialogs in which errors that belong to no field are shown. */
  dialogs?: Partial<Record<ErrorsOf<R>, string>>
  /** Texts for wrong formats, in place of "does not match the format". */
  messages?: Partial<Record<keyof V & string, string>>
  /** Fields that no draft keeps: files, and rows that the page knows only while it is open. */
  notDrafted?: readonly (keyof V & string)[]
  /** Called at each edit of a field. */
  onEdit?: () => void
  /** Where only changes are sent, the schema accepts missing fields: those that must not be empty. */
  required?: readonly (keyof V & string)[]
  /** Checks beyond the schema: returns texts by field. */
  check?: (values: V) => Partial<Record<keyof V & string, string | undefined>>
  /** Asks before valid values are sent; they are kept if the answer is no. */
  confirm?: (values: V) => Promise<boolean>
  /** The notice after saving; "Saved." by default. */
  done?: string | ((data: DataOf<R>) => string)
  /** Where the notice leads on. */
  link?: ToastLink
  onDone?: (data: DataOf<R>) => void
}

/** Mantine's form, validated by the route's schema. */
function useValidatedForm<R extends WriteRoute, V extends Values<R> & Record<string, unknown>>(
  route: R,
  { initial, fixed, nest, placeholders, sends, messages = {}, required = [], check, onEdit }: Choices<R, V>,
) {
  const t = useTexts(kitTexts)
  const prepare = (values: Record<string, unknown>) =>
    nest
      ? (nest(values as V) as Record<string, unknown>)
      : withoutEmpty({ ...fixed, ...withPlaceholders(values, placeholders) }, route.input.shape)
  const faultsOf = (values: Record<string, unknown>): Record<string, string | undefined> => {
    const read = route.input.safeParse(prepare(values))
    const found = read.error?.issues ?? []
    const named = nest ? found.map((issue) => ({ ...issue, path: issue.path.slice(-1) })) : found
    const issues = issuesByField(named, values, messages, t)
    const missing = required.filter((name) => values[name] === '').map((name) => [name, t('form.required')])
    return { ...check?.(values as V), ...Object.fromEntries(missing), ...issues }
  }
  const form = useForm<Record<string, unknown>>({
    initialValues: initial,
    onValuesChange: () => onEdit?.(),
    validate: (values) => {
      if (sends !== 'changes') return faultsOf(values)
      // A value that was wrong before is not sent, so it must not block the fields that are.
      const before = faultsOf(initial)
      const isNew = ([name]: [string, unknown]) => before[name] === undefined || values[name] !== initial[name]
      return Object.fromEntries(Object.entries(faultsOf(values)).filter(isNew))
    },
  })
  return { form, prepare }
}

/** Returns the text of a server error at a field. */
function errorTextFor(
  error: ApiError,
  name: string,
  choices: Pick<Choices<Route, never>, 'texts' | 'messages'>,
): string {
  const texts: Partial<Record<string, string | ((data: unknown) => string | undefined)>> = choices.texts ?? {}
  const messages: Partial<Record<string, string>> = choices.messages ?? {}
  const text = texts[error.error ?? '']
  const ofError = typeof text === 'function' ? text(error.data) : text
  const own = ofError ?? (error.error === 'INVALID_INPUT' ? messages[name] : undefined)
  return own ?? errorText(error)
}

/** Shows an error that has a title of its own; others are left to the global handler. */
async function showInDialog(error: ApiError, choices: Pick<Choices<Route, never>, 'dialogs' | 'texts'>): Promise<void> {
  const titles: Partial<Record<string, string>> = choices.dialogs ?? {}
  const title = titles[error.error ?? '']
  if (title === undefined) return
  markHandled(error)
  await showMessage({ title, body: errorTextFor(error, '', choices) })
}

type SaveForm<R extends Route, V extends Values<R>> = {
  route: R
  choices: Choices<R, V>
  form: ValidatedForm
  prepare: (values: Record<string, unknown>) => Record<string, unknown>
  names: readonly string[]
  /** Names the draft of the form. */
  subject: string
  /** The fields that are on screen. */
  placed: ReadonlySet<string>
}

/** Shows the server's errors at their fields. A newer version of the record is read and merged into the form. */
function useErrors<R extends WriteRoute, V extends Values<R>>({
  route,
  choices,
  form,
  names,
  placed,
}: Omit<SaveForm<R, V>, 'prepare'>) {
  const t = useTexts(kitTexts)
  const focusError = useFocusOnError()
  /** Focuses the first wrong field. What is wrong with fields that are not on screen is said in a dialog. */
  const showErrors = (errors: Record<string, ReactNode>, element: Element) => {
    focusError(element)
    const unplaced = Object.entries(errors).filter(([name]) => !placed.has(name))
    const texts = [...new Set(unplaced.map(([, text]) => text))].filter((text) => typeof text === 'string')
    if (texts.length > 0) void showMessage({ title: t('form.refused'), body: texts.join('\n') })
  }
  const handle = async (error: ApiError, element: Element) => {
    const found = fieldsOf(error, names, choices.fields ?? {})
    const errors = Object.fromEntries(found.map((name) => [name, errorTextFor(error, name, choices)]))
    for (const name of found) form.setFieldError(name, errors[name])
    // The form may be about something that others have changed or deleted.
    if (isOutdated(error) || found.some((name) => !placed.has(name))) void refresh(route.changes)
    if (found.length > 0) {
      markHandled(error)
      showErrors(errors, element)
    }
    if (error.error === 'CHANGED_MEANWHILE') {
      markHandled(error)
      showToast(errorText(error), 'warning')
    }
    await showInDialog(error, choices)
  }
  return { handle, showErrors }
}

/** Returns the notice after saving. */
const doneText = <D>(done: string | ((data: D) => string) | undefined, data: D) =>
  typeof done === 'function' ? done(data) : done

/** Sends the form. Save is not busy behind a dialog. */
function useSave<R extends WriteRoute, V extends Values<R>>(parts: SaveForm<R, V>) {
  const { route, choices, form, prepare, subject } = parts
  const t = useTexts(kitTexts)
  const [isSaving, setSaving] = useState(false)
  const { handle, showErrors } = useErrors(parts)
  const save = async (values: Record<string, unknown>) => {
    const isKept = (name: string) => choices.fixed?.[name] !== undefined || form.isDirty(name)
    const input = choices.sends === 'changes' ? only(prepare(values), isKept) : prepare(values)
    const data = await call(route, route.input.parse(input) as InputOf<R>, { headers: timeZoneHeader() })
    if (stores(route)) {
      form.resetDirty(values)
      deleteDraft(subject)
    }
    await refresh(route.changes)
    showToast(doneText(choices.done, data) ?? t('saved'), 'done', choices.link)
    choices.onDone?.(data)
  }
  /** Returns whether the call succeeded. Its errors are shown at the fields. */
  const attempt = async (work: () => Promise<void>, element: Element): Promise<boolean> => {
    try {
      await work()
      return true
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      setSaving(false)
      await handle(error, element)
      return false
    }
  }
  const send = async (values: Record<string, unknown>, element: Element): Promise<boolean> => {
    if ((await choices.confirm?.(values as V)) === false) return false
    setSaving(true)
    try {
      return await attempt(() => save(values), element)
    } finally {
      setSaving(false)
    }
  }
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const element = event.currentTarget
    const validate = form.onSubmit(
      (values) => send(values, element),
      (errors) => showErrors(errors, element),
    )
    if (!isSaving) validate(event)
  }
  const saveNow = async (): Promise<boolean> => {
    const { hasErrors, errors } = form.validate()
    if (!hasErrors) return send(form.getValues(), document.body)
    showErrors(errors, document.body)
    return false
  }
  const run = async (work: (input: InputOf<R>) => Promise<void>): Promise<void> => {
    const { hasErrors, errors } = form.validate()
    if (hasErrors) showErrors(errors, document.body)
    else await attempt(() => work(route.input.parse(prepare(form.getValues())) as InputOf<R>), document.body)
  }
  return { isSaving, submit, saveNow, run }
}

/** A form by its values: forms that create and update a record have the same. */
export type ApiForm<V extends Record<string, unknown>> = ReturnType<typeof useApiForm<WriteRoute, V>>

/** Whether the call stores the input. A call that only tests changes nothing, so leaving its form offers no save. */
const stores = (route: WriteRoute): boolean => route.changes.length > 0

export function useApiForm<R extends WriteRoute, V extends Values<R> & Record<string, unknown>>(
  route: R,
  choices: Choices<R, V>,
) {
  const t = useTexts(kitTexts)
  const { form, prepare } = useValidatedForm(route, choices)
  const names = Object.keys(choices.initial)
  const changed = names.filter((name) => form.isDirty(name))
  const isDirty = changed.length > 0
  // Filled by `field` while the form and its content are drawn.
  const placed = useRef(new Set<string>())
  placed.current.clear()
  const subject = draftSubject(route, choices.fixed)
  const save = useSave({ route, choices, form, prepare, names, subject, placed: placed.current })
  const { isSaving, submit, saveNow, run } = save
  const undrafted = new Set<string>([...secretsIn(route.input), ...(choices.notDrafted ?? [])])
  const drafted = changed.filter((name) => !undrafted.has(name))
  const news = useMergedForm({ form, initial: choices.initial, isSaving, subject, drafted })
  const reset = () => {
    deleteDraft(subject)
    form.reset()
  }
  useUnsaved(isDirty, reset, { isSaving, save: stores(route) ? saveNow : undefined, isKept: news.isKept })

  /** Returns the props of an input. Passwords are not trimmed: `field('pw', { trims: false })`. */
  const field = (name: keyof V & string, options?: { trims: boolean }) => {
    placed.current.add(name)
    const maxLength = maxLengthOf(route.input.shape[name])
    return { ...inputProps(form, name, options), ...(maxLength !== undefined && { maxLength }) }
  }
  return {
    values: form.values as V,
    set: <K extends keyof V & string>(name: K, value: V[K]) => setValue(form, name, value),
    field,
    changed,
    isDirty,
    isSaving,
    /** Why Save is disabled; undefined if it is enabled. */
    whyDisabled: isDirty ? undefined : t('form.unchanged'),
    submit,
    /** Saves without an event of the form; returns whether it was saved. */
    save: saveNow,
    /** Makes another call with the input of a valid form. Its errors are shown as those of saving. */
    run,
    reset,
    /** Shown above the fields. */
    news,
  }
}
