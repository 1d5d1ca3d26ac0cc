// Components, dialogs and languages that are fetched when they are first needed, and what people see where that fails.
import { ApiError } from '@acc/contract/core/client'
import { type ComponentType, createElement, type ReactNode, use } from 'react'
import { passError } from '../api/errors.ts'
import { askServer } from '../browser/connection.ts'
import { fetchedPart, LostPart, retryFailed } from '../browser/fetchedPart.ts'
import { dialogTexts } from '../dialogs/dialogs.texts.ts'
import { confirm } from '../dialogs/dialogs.tsx'
import { loadTexts, setLanguage, type Texts, text } from '../texts/texts.ts'
import type { Language } from '../texts/translate.ts'

/** Returns a component that waits (Suspense) until it is there with its texts; `fetch` fetches it ahead. */
export function fetchedComponent<P extends object>(load: () => Promise<readonly [ComponentType<P>, ...Texts[]]>) {
  const fetch = fetchedPart(async () => {
    const [Component, ...texts] = await load()
    await Promise.all(texts.map((one) => loadTexts(one)))
    return Component
  })
  const draw = (props: P): ReactNode => createElement(use(fetch()), props)
  return Object.assign(draw, { fetch })
}

/** Reloads the page for a lost part if the server answers and `asks` agrees. The browser asks about unsaved changes. */
export async function reloadForPart(asks = () => Promise.resolve(true)): Promise<void> {
  try {
    await askServer()
  } catch (error) {
    if (error instanceof ApiError) passError(error)
    return
  }
  if (await asks()) location.reload()
}

const askToReload = () =>
  confirm({
    title: text(dialogTexts, 'lostTitle'),
    body: text(dialogTexts, 'lostBody'),
    action: text(dialogTexts, 'reload'),
  })

/** Opens what needs a part once it is there. Otherwise says why or offers to reload the page, and returns false. */
export async function whenFetched(fetch: () => Promise<unknown>, open: () => void): Promise<boolean> {
  retryFailed()
  try {
    await fetch()
  } catch (error) {
    if (error instanceof LostPart) void reloadForPart(askToReload)
    else if (error instanceof ApiError) passError(error)
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
