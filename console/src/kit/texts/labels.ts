// The contract's labels in the person's language.
import type { Label } from '@acc/contract/labels/enumOf'
import { useLanguage } from './texts.ts'

/** Returns the word of a label. */
export function useLabel(): (label: Label) => string {
  const language = useLanguage()
  return (label) => label[language]
}

type Enumeration<V extends number> = { readonly values: readonly V[]; readonly labels: Readonly<Record<V, Label>> }

/** Returns the values of an enumeration as options of a select. */
export function useOptions<V extends number>({ values, labels }: Enumeration<V>): { value: V; label: string }[] {
  const language = useLanguage()
  return values.map((value) => ({ value, label: labels[value][language] }))
}
