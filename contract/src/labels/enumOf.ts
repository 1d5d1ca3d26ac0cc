// Single declaration of a specified enumeration: numbers, labels in both languages and tone. Schemas are built from
// `values`; CSV, console, desktop client and history read `labels`. Free of zod.

/** A text in both languages of the product. */
export type Label = { readonly ko: string; readonly en: string }
export type Language = keyof Label
/** The color of a state, shown next to its label. */
export type Tone = 'ok' | 'warn' | 'bad' | 'accent' | 'quiet'
export type ToneLabel = Label & { readonly tone: Tone }

type Entry = Label & { readonly value: number; readonly tone?: Tone }
type Entries = Readonly<Record<string, Entry>>

type Members<E extends Entries> = { readonly [K in keyof E]: E[K]['value'] }
type Labels<E extends Entries> = { readonly [K in keyof E as E[K]['value']]: E[K] }
type Enumeration<E extends Entries> = Members<E> & {
  /** The numbers, in the order of declaration. */
  readonly values: readonly E[keyof E]['value'][]
  readonly labels: Labels<E>
}

/** The numbers of an enumeration as a type: `type Role = ValueOf<typeof Role>`. */
export type ValueOf<E extends { readonly values: readonly number[] }> = E['values'][number]

/** Builds an enumeration: `Role.ADMIN` is a number, `Role.labels[role].en` its English label. */
/* @__NO_SIDE_EFFECTS__ */
export function enumOf<const E extends Entries>(entries: E): Enumeration<E> {
  const list = Object.entries(entries)
  return {
    ...(Object.fromEntries(list.map(([name, { value }]) => [name, value])) as Members<E>),
    values: list.map(([, { value }]) => value),
    labels: Object.fromEntries(list.map(([, entry]) => [entry.value, entry])) as Labels<E>,
  }
}
