// The contract's labels in the person's language.

import type { Route } from '@acc/contract/core/route'
import type { Label, Language } from '@acc/contract/labels/enumOf'
import { useLanguage } from './texts.ts'

/** Returns the word of a label. */
export function useLabel(): (label: Label) => string {
  const language = useLanguage()
  return (label) => label[language]
}

/** The names of a list route's columns. */
export type ColumnOf<R extends Route> = R extends { columns: infer C } ? keyof C & string : never

/** Returns the heading of a column of a list route, the one that its CSV has. */
export const headingOf = (route: Route, column: string, language: Language): string | undefined =>
  'columns' in route ? route.columns?.[column]?.[language] : undefined

/** Returns the headings of a list route's columns. */
export function useHeadings<R extends Route>(route: R): (column: ColumnOf<R>) => string {
  const language = useLanguage()
  return (column) => headingOf(route, column, language) ?? column
}

/** Returns the headings of columns within a sentence: "아이디, 이름", "ID, name, or email". */
export function joinHeadings(columns: readonly Label[], language: Language): string {
  if (language === 'ko') return columns.map(({ ko }) => ko).join(', ')
  const words = columns.map(({ en }) => (/^[A-Z][a-z]/.test(en) ? en.charAt(0).toLowerCase() + en.slice(1) : en))
  return new Intl.ListFormat('en', { type: 'disjunction' }).format(words)
}

type Enumeration<V extends number> = { readonly values: readonly V[]; readonly labels: Readonly<Record<V, Label>> }

/** Returns the values of an enumeration as options of a select. */
export function useOptions<V extends number>({ values, labels }: Enumeration<V>): { value: V; label: string }[] {
  const language = useLanguage()
  return values.map((value) => ({ value, label: labels[value][language] }))
}
