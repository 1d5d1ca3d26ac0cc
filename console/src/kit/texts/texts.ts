// Texts in two languages by i18next: a namespace a feature, each language its own file, fetched when first used. Keys
// are typed by the Korean file; English has the same ones (texts.test.ts). English where the browser speaks it, else
// Korean (S1 section 1), until the person chooses.
import i18next, { type BackendModule } from 'i18next'
import { use, useMemo, useSyncExternalStore } from 'react'
import { readStored, stored, writeStored } from '../browser/storage.ts'

export type Language = 'ko' | 'en'
/** A text that is needed before its feature is loaded: menu titles, error texts. */
export type Bilingual = Record<Language, string>

type Plural<K extends string> = K extends `${infer Base}_${'one' | 'other'}` ? Base : K
type Key<J> = { [K in keyof J & string]: J[K] extends string ? Plural<K> : `${K}.${Key<J[K]>}` }[keyof J & string]
type Values = Record<string, string | number>
export type Translate<J> = (key: Key<J>, values?: Values) => string
type Load<J> = () => Promise<{ default: J }>
/** A feature's texts: `defineTexts('mails', { ko: () => import('../mails.ko.json'), en: () => ... })`. */
export type Texts<J = unknown> = { name: string; ko: Load<J>; en: Load<unknown> }

const known = new Map<string, Texts>()

export function defineTexts<J>(name: string, load: { ko: Load<J>; en: Load<unknown> }): Texts<J> {
  const texts = { name, ...load }
  known.set(name, texts)
  return texts
}

const files: BackendModule = {
  type: 'backend',
  init: () => undefined,
  read: (language, name, done) => {
    const texts = known.get(name)
    if (!texts) return done(new Error(`no texts named ${name}`), false)
    const load = language === 'en' ? texts.en : texts.ko
    load().then(
      (file) => done(null, file.default as Record<string, string>),
      (error: Error) => done(error, false),
    )
  },
}

export function preferredLanguage(): Language {
  const chosen = readStored(stored.language)
  if (chosen === 'ko' || chosen === 'en') return chosen
  return navigator.language.startsWith('en') ? 'en' : 'ko'
}

export const language = (): Language => (i18next.language === 'en' ? 'en' : 'ko')

let ready: Promise<unknown> = Promise.resolve()

/** The texts of the first paint are there. */
export const whenTextsReady = (): Promise<unknown> => ready

export function beginTexts(...first: Texts[]): Promise<unknown> {
  const lng = preferredLanguage()
  document.documentElement.lang = lng
  ready = i18next.use(files).init({
    lng,
    fallbackLng: false,
    supportedLngs: ['ko', 'en'],
    ns: first.map((texts) => texts.name),
    defaultNS: false,
    // Otherwise the files are asked for a turn of the event loop later.
    initAsync: false,
    interpolation: { escapeValue: false },
  })
  return ready
}

export async function setLanguage(to: Language): Promise<void> {
  writeStored(stored.language, to)
  await i18next.changeLanguage(to)
  document.documentElement.lang = to
}

const asked = new Map<string, Promise<void>>()

/** React's `use` takes a promise marked like this for done, without waiting for it. */
const done = (promise: Promise<void>) => Object.assign(promise, { status: 'fulfilled' as const, value: undefined })

/** Fetches the texts ahead of the screen that shows them. */
export function loadTexts({ name }: Texts): Promise<void> {
  const current = language()
  const key = `${current}.${name}`
  const known = asked.get(key)
  if (known) return known
  const isThere = i18next.hasResourceBundle(current, name)
  const loading = isThere ? done(Promise.resolve()) : i18next.loadNamespaces(name)
  loading.then(
    () => done(loading),
    () => asked.delete(key),
  )
  asked.set(key, loading)
  return loading
}

function onLanguage(tell: () => void): () => void {
  i18next.on('languageChanged', tell)
  return () => i18next.off('languageChanged', tell)
}

/** The person's language, following its change. */
export const useLanguage = (): Language => useSyncExternalStore(onLanguage, language)

/** The texts of a feature in the person's language; waits (Suspense) where they are not there yet. */
export function useTexts<J>(texts: Texts<J>): Translate<J> {
  const current = useLanguage()
  use(loadTexts(texts))
  return useMemo(() => {
    const translate = i18next.getFixedT(current, texts.name)
    return (key: string, values: Values = {}) => String(translate(key, values))
  }, [current, texts])
}

/** For code outside components; the texts must have been loaded. */
export function text<J>(texts: Texts<J>, key: Key<J>, values: Values = {}): string {
  const name: string = key
  return String(i18next.t(name, { ...values, ns: texts.name }))
}
