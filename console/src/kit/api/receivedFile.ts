// Files that this page receives with their progress and a way to cancel: downloads, and lists as CSV.
import { UNCAPPED } from '@acc/contract/core/fields'
import type { InputOf, Route } from '@acc/contract/core/route'
import { fileStamp } from '@acc/contract/labels/formats'
import { useRef, useState } from 'react'
import { showMessage } from '../dialogs/dialogs.tsx'
import { callFile } from './call.ts'
import { markHandled } from './errors.ts'
import { errorText } from './errorText.ts'

/** Saves the bytes as a file through the browser. */
export function saveFile(name: string, bytes: Blob): void {
  const address = URL.createObjectURL(bytes)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}

/** Reads a response to its end and reports how many bytes have been received. */
export async function receive(response: Response, onBytes: (bytes: number) => void): Promise<Blob> {
  const reader = response.body?.getReader()
  if (!reader) return response.blob()
  const parts: Uint8Array<ArrayBuffer>[] = []
  let bytes = 0
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    parts.push(next.value)
    bytes += next.value.byteLength
    onBytes(bytes)
  }
  return new Blob(parts, { type: response.headers.get('content-type') ?? 'application/octet-stream' })
}

type Job = { signal: AbortSignal; onBytes: (bytes: number) => void }

/**
 * Runs one job at a time; a failure is a dialog (spec S2 §8). `bytes` is null unless one runs. `start` returns the
 * result; undefined after a failure or `stop`.
 */
export function useReceivedFile(failed: string) {
  const [bytes, setBytes] = useState<number | null>(null)
  const running = useRef<AbortController>(null)
  const start = async <T>(receiveFile: (job: Job) => Promise<T>): Promise<T | undefined> => {
    const job = new AbortController()
    running.current = job
    setBytes(0)
    try {
      const received = await receiveFile({ signal: job.signal, onBytes: setBytes })
      setBytes(null)
      return received
    } catch (error) {
      markHandled(error)
      setBytes(null)
      if (!job.signal.aborted) await showMessage({ title: failed, body: errorText(error) })
      return undefined
    }
  }
  return { bytes, start, stop: () => running.current?.abort() }
}

/** Downloads the whole list, the same query without a bound (spec S2 §2.6), and returns the file's name. */
export async function downloadCsv<R extends Route>(
  route: R,
  input: InputOf<R>,
  name: string,
  job: Job,
): Promise<string> {
  const everything = { ...input, rowsAfter: 0, rowsCount: UNCAPPED, maxCount: UNCAPPED }
  const response = await callFile(route, everything, { signal: job.signal })
  const bytes = await receive(response, job.onBytes)
  const file = `${name}_${fileStamp(new Date())}.csv`
  saveFile(file, bytes)
  return file
}
