// Parts of the console that are fetched when they are first drawn. Unlike React's `lazy`, a part that could not be fetched can
// be tried again: while the server is away, nothing that was not there before comes.
import { ApiError, COMMUNICATION_FAILURE } from '@acc/contract/core/client'
import { type ComponentType, createElement, type ReactNode, use } from 'react'
import { passError } from '../api/errors.ts'
import { refetchStyles } from '../browser/refetchStyles.ts'
import { loadTexts, setLanguage, type Texts } from '../texts/texts.ts'
import type { Language } from '../texts/translate.ts'

const failed = new Set<() => void>()

/** Has the parts that could not be fetched ask the server again when they are drawn next. */
export function retryFailed(): void {
  for (const reset of failed) reset()
  failed.clear()
}

/** Returns a function that fetches a part: the same promise until `retryFailed`. */
export function fetchedPart<T>(load: () => Promise<T>): () => Promise<T> {
  let fetching: Promise<T> | undefined
  const reset = () => {
    fetching = undefined
  }
  const fetchAll = async () => {
    try {
      await refetchStyles()
      return await load()
    } catch (error) {
      failed.add(reset)
      throw error
    }
  }
  return () => {
    fetching ??= fetchAll()
    return fetching
  }
}

/**
 * Returns a component that is fetched with its texts when it is first drawn, or by its `fetch`; it waits (Suspense) until it is
 * there.
 */
export function fetchedComponent<P extends object>(load: () => Promise<readonly [ComponentType<P>, ...Texts[]]>) {
  const fetch = fetchedPart(async () => {
    const [Component, ...texts] = await load()
    await Promise.all(texts.map((one) => loadTexts(one)))
    return Component
  })
  const draw = (props: P): ReactNode => createElement(use(fetch()), props)
  return Object.assign(draw, { fetch })
}

/** Opens what needs a part once it is there; shows that the server could not be reached otherwise, and returns false. */
export async function whenFetched(fetch: () => Promise<unknown>, open: () => void): Promise<boolean> {
  try {
    await fetch()
  } catch {
    retryFailed()
    passError(new ApiError('network', COMMUNICATION_FAILURE, ''))
    return false
  }
  open()
  return true
}

/** Changes the language once its texts are there. */
export const chooseLanguage = (to: Language) =>
  whenFetched(
    () => setLanguage(to),
    () => undefined,
  )
