// Finds a text by its key, chooses `x_one` or `x_other` by the number in `count`, and inserts values: `{{name}}`, or
// with a format: `{{count, number}}` and `{{name, 을/를}}`.

export type Language = 'ko' | 'en'
/** Texts by key, possibly nested. */
export type TextFile = { readonly [key: string]: string | TextFile }
export type Values = Record<string, string | number>

const plurals = { ko: new Intl.PluralRules('ko'), en: new Intl.PluralRules('en') }
/** Numbers in each language. */
export const numbers = { ko: new Intl.NumberFormat('ko'), en: new Intl.NumberFormat('en') }

type Format = (value: string | number, language: Language) => string
const formats = new Map<string, Format>([
  ['number', (value, language) => (typeof value === 'number' ? numbers[language].format(value) : value)],
])

/** Registers the format of `{{name, form}}`. */
export const addFormat = (form: string, format: Format): void => void formats.set(form, format)

function find(file: TextFile, key: string): string | undefined {
  let found: string | TextFile | undefined = file
  for (const part of key.split('.')) found = typeof found === 'object' ? found[part] : undefined
  return typeof found === 'string' ? found : undefined
}

const PLACE = /\{\{(\w+)(?:, ([^}]+))?\}\}/g

/** Returns the key itself if the file has no such text. */
export function translate(file: TextFile, language: Language, key: string, values: Values = {}): string {
  const { count } = values
  const counted = typeof count === 'number' ? find(file, `${key}_${plurals[language].select(count)}`) : undefined
  const text = counted ?? find(file, key) ?? key
  return text.replace(PLACE, (place, name: string, form: string | undefined) => {
    const value = values[name]
    if (value === undefined) return place
    const format = form === undefined ? undefined : formats.get(form)
    return format === undefined ? String(value) : format(value, language)
  })
}
