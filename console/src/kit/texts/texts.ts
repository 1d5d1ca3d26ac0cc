// Texts in two languages: each feature has a file for each, fetched when first used. Until the user chooses, the
// language is English if the browser prefers it, else Korean (spec S1 §1).
import { use, useMemo } from 'react'
import { fetchedPart } from '../browser/fetchedPart.ts'
import { readStored, stored, writeStored } from '../browser/storage.ts'
import { createStore, useStore } from '../browser/store.ts'
import { type Language, numbers, type TextFile, translate, type Values } from './translate.ts'

/** A text that is needed before its feature is loaded: menu titles, error texts. */
export type Bilingual = Record<Language, string>

type Plural<K extends string> = K extends `${infer Base}_${'one' | 'other'}` ? Base : K
type Key<J> = { [K in keyof J & string]: J[K] extends string ? Plural<K> : `${K}.${Key<J[K]>}` }[keyof J & string]
export type Translate<J> = (key: Key<J>, values?: Values) => string
type Load<J> = () => Promise<{ default: J }>

/** The texts of a feature; `J` is its Korean file, which types the keys. */
export type Texts<J = unknown> = {
  fetch: Record<Language, () => Promise<void>>
  files: Partial<Record<Language, TextFile>>
  /** Types the keys. */
  of?: J
}

/** Nothing where both files have the same keys; else a property that no file has, which names the difference. */
type SameKeys<K, E> = [Key<K>, Key<E>] extends [Key<E>, Key<K>]
  ? unknown
  : { onlyInKorean: Exclude<Key<K>, Key<E>>; onlyInEnglish: Exclude<Key<E>, Key<K>> }

/** `defineTexts(() => import('./mails.ko.json'), () => import('./mails.en.json'))`. Different keys do not compile. */
export function defineTexts<K, E>(ko: Load<K>, en: Load<E> & SameKeys<K, E>): Texts<K> {
  const files: Texts['files'] = {}
  const fetching = (of: Language, load: Load<unknown>) =>
    fetchedPart(async () => {
      files[of] = (await load()).default as TextFile
    })
  return { fetch: { ko: fetching('ko', ko), en: fetching('en', en) }, files }
}

const current = createStore<Language>('ko')
/** Texts in use: they are loaded in another language before it is shown. */
const used = new Set<Texts>()

export const language = (): Language => current.get()

/** Returns the current language and follows its change. */
export const useLanguage = (): Language => useStore(current)

export function preferredLanguage(): Language {
  const chosen = readStored(stored.language)
  if (chosen === 'ko' || chosen === 'en') return chosen
  return navigator.language.startsWith('en') ? 'en' : 'ko'
}

function switchTo(to: Language): void {
  document.documentElement.lang = to
  current.set(to)
}

/** Fetches the texts ahead of the screen that shows them. */
export function loadTexts(texts: Texts, of: Language = language()): Promise<void> {
  used.add(texts)
  return texts.fetch[of]()
}

let ready: Promise<unknown> = Promise.resolve()

/** Resolves when the texts of the first paint are loaded. */
export const whenTextsReady = (): Promise<unknown> => ready

export function beginTexts(...first: Texts[]): Promise<unknown> {
  switchTo(preferredLanguage())
  ready = Promise.all(first.map((texts) => loadTexts(texts)))
  return ready
}

export async function setLanguage(to: Language): Promise<void> {
  await Promise.all([...used].map((texts) => loadTexts(texts, to)))
  writeStored(stored.language, to)
  switchTo(to)
}

const find = (texts: Texts, of: Language, key: string, values?: Values) =>
  translate(texts.files[of] ?? {}, of, key, values)

/** The texts of a feature in the person's language; waits (Suspense) until they are loaded. */
export function useTexts<J>(texts: Texts<J>): Translate<J> {
  const of = useLanguage()
  use(loadTexts(texts, of))
  return useMemo(() => (key: string, values?: Values) => find(texts, of, key, values), [of, texts])
}

/** For code outside components; the texts must have been loaded. */
export const text = <J>(texts: Texts<J>, key: Key<J>, values?: Values): string => find(texts, language(), key, values)

export const formatNumber = (value: number): string => numbers[language()].format(value)

/** A unit behind a number: 330일, 20 GB, 330 days. Korean words follow the number at once. */
export const unitSuffix = (unit: string): string => (/^[가-힣]/.test(unit) ? unit : ` ${unit}`)
