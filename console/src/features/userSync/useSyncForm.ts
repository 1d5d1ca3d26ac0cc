// The synchronization while it is edited: one form with flat fields, which the contract's nested schema validates.
import { api } from '@acc/contract'
import { ApiError } from '@acc/contract/core/client'
import type { DataOf } from '@acc/contract/core/route'
import { ERROR_DATA } from '@acc/contract/errorData'
import type { Refusal } from '@acc/contract/userImports'
import { SyncInput, type SyncState } from '@acc/contract/userSync'
import { useForm } from '@mantine/form'
import { type FormEvent, useRef, useState } from 'react'
import { call } from '../../kit/api/call.ts'
import { markHandled } from '../../kit/api/errors.ts'
import { refresh } from '../../kit/api/query.ts'
import { showMessage } from '../../kit/dialogs/dialogs.tsx'
import { showToast } from '../../kit/dialogs/toast.tsx'
import { inputProps, setValue, useFocusOnError, type ValidatedForm } from '../../kit/form/formFields.ts'
import { issuesByField } from '../../kit/form/formIssues.ts'
import { useUnsaved } from '../../kit/form/unsaved.ts'
import { kitTexts } from '../../kit/texts/kit.texts.ts'
import { useTexts } from '../../kit/texts/texts.ts'
import { inputOf, type SyncValues, valuesOf } from './syncValues.ts'
import { userSyncTexts } from './userSync.ts'

type Tested = { found: DataOf<typeof api.userSync.test> } | { refusal: Refusal }
type Name = keyof SyncValues & string

function useValidated(initial: SyncValues, onEdit: () => void): ValidatedForm {
  const t = useTexts(userSyncTexts)
  const kit = useTexts(kitTexts)
  const attribute = t('attributeFormat')
  const messages: Partial<Record<Name, string>> = {
    serverAddress: t('addressFormat'),
    serverPort: t('portFormat'),
    authorities: t('authoritiesFault'),
    ...{ key: attribute, id: attribute, name: attribute, email: attribute, group: attribute, expireDT: attribute },
  }
  return useForm<Record<string, unknown>>({
    initialValues: initial,
    onValuesChange: onEdit,
    validate: (values) => {
      const { error } = SyncInput.safeParse(inputOf(values as SyncValues))
      // The last name of a path is that of the field.
      const issues = error?.issues.map((issue) => ({ ...issue, path: issue.path.slice(-1) })) ?? []
      return issuesByField(issues, values, messages, kit)
    },
  })
}

/** Returns what shows a refused call: at the test, at the fields, or by the global handler. */
function useFailures(form: ValidatedForm, names: readonly Name[], setTested: (tested: Tested) => void) {
  const t = useTexts(userSyncTexts)
  const kit = useTexts(kitTexts)
  const focusError = useFocusOnError()
  return (error: unknown) => {
    if (!(error instanceof ApiError)) throw error
    if (error.error === 'SYNC_FAILED') {
      const { data } = ERROR_DATA.SYNC_FAILED.safeParse(error.data)
      if (data === undefined) return
      markHandled(error)
      setTested({ refusal: data })
    } else if (error.error === 'NO_GROUP') {
      markHandled(error)
      form.setFieldError('groupIdx', t('noGroup'))
    } else {
      // `directory.bindPw`: the last name of a path is that of the field.
      const named = ERROR_DATA.INVALID_INPUT.safeParse(error.data).data?.fields.map((path) => path.split('.').at(-1))
      const found = error.error === 'INVALID_INPUT' ? names.filter((name) => named?.includes(name)) : []
      if (found.length > 0) markHandled(error)
      for (const name of found) form.setFieldError(name, name === 'bindPw' ? t('bindPwAgain') : kit('form.format'))
      focusError(document.body)
    }
  }
}

export function useSyncForm(sync: SyncState['sync']) {
  const t = useTexts(userSyncTexts)
  const kit = useTexts(kitTexts)
  const initial = useRef(valuesOf(sync)).current
  const [busy, setBusy] = useState<'test' | 'save'>()
  const [tested, setTested] = useState<Tested>()
  const form = useValidated(initial, () => setTested(undefined))
  const focusError = useFocusOnError()
  const names = Object.keys(initial) as Name[]
  const isDirty = names.some((name) => form.isDirty(name))

  const fail = useFailures(form, names, setTested)
  /** Returns whether the call succeeded. */
  const send = async (kind: 'test' | 'save', work: (input: SyncInput) => Promise<void>): Promise<boolean> => {
    if (busy) return false
    if (form.validate().hasErrors) {
      focusError(document.body)
      return false
    }
    setBusy(kind)
    try {
      await work(SyncInput.parse(inputOf(form.getValues() as SyncValues)))
      return true
    } catch (error) {
      fail(error)
      return false
    } finally {
      setBusy(undefined)
    }
  }
  const test = () =>
    void send('test', async (input) => setTested({ found: await call(api.userSync.test, input, { timeout: 60_000 }) }))
  const save = () =>
    send('save', async (input) => {
      await call(api.userSync.set, input)
      form.setInitialValues({ ...form.getValues(), bindPw: '' })
      form.reset()
      showToast(kit('saved'))
      await refresh(api.userSync.set.changes)
    })
  useUnsaved(isDirty, form.reset, busy === 'save', save)
  return {
    values: form.values as SyncValues,
    field: (name: Name, options?: { trims: boolean }) => inputProps(form, name, options),
    set: <K extends Name>(name: K, value: SyncValues[K]) => setValue(form, name, value),
    fill: (values: Partial<SyncValues>) => form.setValues(values),
    isDirty,
    isSaving: busy === 'save',
    isTesting: busy === 'test',
    tested,
    test,
    whyDisabled: isDirty ? undefined : kit('form.unchanged'),
    submit: (event: FormEvent) => {
      event.preventDefault()
      void save()
    },
    reset: form.reset,
    showFault: (text: string) => void showMessage({ title: t('authorities'), body: text }),
  }
}
export type EditedSync = ReturnType<typeof useSyncForm>
