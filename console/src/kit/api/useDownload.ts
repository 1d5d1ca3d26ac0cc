// A file of the server, received with its progress and a way to cancel. A failure is a dialog (spec S2 §8).
import type { InputOf, Route } from '@acc/contract/core/route'
import { useRef, useState } from 'react'
import { showMessage } from '../dialogs/dialogs.tsx'
import { callFile, type RouteRef } from './call.ts'
import { receive, saveFile } from './csv.ts'
import { markHandled } from './errors.ts'
import { errorText } from './errorText.ts'

const NAME = /filename\*=UTF-8''([^;]+)/i

/** Returns the server's name of a file. */
function nameOf(response: Response): string | undefined {
  const given = NAME.exec(response.headers.get('content-disposition') ?? '')?.[1]
  return given === undefined ? undefined : decodeURIComponent(given)
}

/** `bytes` is null unless a download is running. `start` returns whether the file was saved. */
export function useDownload<R extends Route>(route: R | RouteRef<R>, failed: string) {
  const [bytes, setBytes] = useState<number | null>(null)
  const running = useRef<AbortController>(null)
  const start = async (input: InputOf<R>, fallback: string): Promise<boolean> => {
    const job = new AbortController()
    running.current = job
    setBytes(0)
    try {
      const response = await callFile(route, input, { signal: job.signal })
      saveFile(nameOf(response) ?? fallback, await receive(response, setBytes))
      setBytes(null)
      return true
    } catch (error) {
      markHandled(error)
      setBytes(null)
      if (!job.signal.aborted) await showMessage({ title: failed, body: errorText(error) })
      return false
    }
  }
  return { bytes, start, stop: () => running.current?.abort() }
}
