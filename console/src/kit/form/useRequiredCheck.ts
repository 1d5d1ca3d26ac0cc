// For forms that send only changes: their schema accepts missing fields, so emptied required fields are checked here.
import { kitTexts } from '../texts/kit.texts.ts'
import { useTexts } from '../texts/texts.ts'

type Words<K extends string> = Partial<Record<K, string>>

/** Returns, for a form's `check`, an error for each of these fields that is empty. */
export function useRequiredCheck<K extends string>(...names: readonly K[]) {
  const t = useTexts(kitTexts)
  return (values: { [name in K]?: unknown }): Words<K> => {
    const missing = names.filter((name) => values[name] === '')
    return Object.fromEntries(missing.map((name) => [name, t('form.required')])) as Words<K>
  }
}
