// The text of a configuration while it is edited. Save is disabled while it equals the value in effect.
import { api } from '@acc/contract'
import { ApiError } from '@acc/contract/core/client'
import { type FormEvent, useState } from 'react'
import { markHandled } from '../../kit/api/errors.ts'
import { errorText } from '../../kit/api/errorText.ts'
import { refresh } from '../../kit/api/query.ts'
import { showMessage } from '../../kit/dialogs/dialogs.tsx'
import { showToast } from '../../kit/dialogs/toast.tsx'
import { useUnsaved } from '../../kit/form/unsaved.ts'
import { kitTexts } from '../../kit/texts/kit.texts.ts'
import { useTexts } from '../../kit/texts/texts.ts'
import type { ConfigSource } from './ConfigEditor.tsx'
import type { ConfigFault } from './configFaults.ts'
import { configTextsTexts } from './configTexts.texts.ts'

export type Config = { idx: number; text: string; revision: number }

export function useConfigForm(source: ConfigSource, config: Config) {
  const t = useTexts(configTextsTexts)
  const kit = useTexts(kitTexts)
  const [text, setText] = useState(config.text)
  const [saved, setSaved] = useState(config.text)
  const [fault, setFault] = useState<ConfigFault['kind'] | null>(null)
  const [isSaving, setSaving] = useState(false)
  const isDirty = text !== saved
  const reset = () => setText(saved)
  useUnsaved(isDirty, reset, isSaving)
  const explain = async (error: ApiError) => {
    if (error.error !== 'INVALID_INPUT' && error.error !== 'CHANGED_MEANWHILE') return
    markHandled(error)
    const isChanged = error.error === 'CHANGED_MEANWHILE'
    await showMessage({ title: t('refusedTitle'), body: isChanged ? errorText(error) : t('refused') })
    if (isChanged) await refresh(api.configTexts.setSiteConfig.changes)
  }
  const save = async () => {
    setSaving(true)
    try {
      await source.set(text, config.revision)
      setSaved(text)
      await refresh(api.configTexts.setSiteConfig.changes)
      showToast(kit('saved'))
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      setSaving(false)
      await explain(error)
    } finally {
      setSaving(false)
    }
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void save()
  }
  const whyInvalid = fault === null || fault === 'backslash' ? undefined : t('invalid')
  const whyDisabled = isDirty ? whyInvalid : kit('form.unchanged')
  return { text, setText, fault, setFault, isDirty, isSaving, whyDisabled, reset, save: submit }
}
