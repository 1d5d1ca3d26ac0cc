// A file of any size that the browser itself writes to the disk. The call is tried first, up to its headers, so that a
// refusal is shown in a dialog (spec S2 §8) and is never saved as a file.
import type { InputOf, Route } from '@acc/contract/core/route'
import { useState } from 'react'
import { showMessage } from '../dialogs/dialogs.tsx'
import { kitTexts } from '../texts/kit.texts.ts'
import { loadTexts, text } from '../texts/texts.ts'
import { callFile, type RouteRef } from './call.ts'
import { markHandled } from './errors.ts'
import { errorText } from './errorText.ts'
import { saveFile } from './receivedFile.ts'

/** The title of the dialog about a file that the browser was given by this page. */
let failedOf: string | null = null

let isReporting = false

/** Shows that a download of this page broke off, if there is one. Shows it once for the browser's repeated attempts. */
export async function reportBrokenDownload(): Promise<void> {
  if (failedOf === null || isReporting) return
  isReporting = true
  await loadTexts(kitTexts)
  await showMessage({ title: failedOf, body: text(kitTexts, 'download.broken') })
  isReporting = false
}

function openDownload(address: string): void {
  const link = document.createElement('a')
  link.href = address
  // Keeps the server's name, and is no navigation, which would ask about unsaved changes.
  link.download = ''
  link.click()
}

/**
 * `isStarting` until the browser has the download; until then `start` ignores further calls. `name` is for servers of
 * another origin, whose files this page receives. `trial`: input fields with which the call sends and records nothing.
 */
export function useBrowserDownload<R extends Route>(route: R | RouteRef<R>, failed: string) {
  const [isStarting, setStarting] = useState(false)
  const start = async (input: InputOf<R>, name: string, trial?: Partial<InputOf<R>>): Promise<void> => {
    if (isStarting) return
    const attempt = new AbortController()
    setStarting(true)
    try {
      const response = await callFile(route, { ...input, ...trial }, { signal: attempt.signal })
      const address = new URL(response.url)
      if (address.origin !== location.origin) {
        const whole = trial === undefined ? response : await callFile(route, input)
        return saveFile(name, await whole.blob())
      }
      attempt.abort()
      for (const field of Object.keys(trial ?? {})) address.searchParams.delete(field)
      failedOf = failed
      openDownload(address.href)
    } catch (error) {
      markHandled(error)
      setStarting(false)
      await showMessage({ title: failed, body: errorText(error) })
    } finally {
      setStarting(false)
    }
  }
  return { isStarting, start }
}
