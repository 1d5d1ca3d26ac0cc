// A list as a CSV file: the same query without a bound (spec S2 §2.6), received with its progress and a way to cancel.
import { UNCAPPED } from '@acc/contract/core/fields'
import type { InputOf, Route } from '@acc/contract/core/route'
import { fileStamp } from '@acc/contract/labels/formats'
import { callFile } from './call.ts'

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

type Job = { name: string; signal: AbortSignal; onBytes: (bytes: number) => void }

/** Downloads the whole list and returns the file's name. */
export async function downloadCsv<R extends Route>(route: R, input: InputOf<R>, job: Job): Promise<string> {
  const everything = { ...input, rowsAfter: 0, rowsCount: UNCAPPED, maxCount: UNCAPPED }
  const response = await callFile(route, everything, { signal: job.signal })
  const bytes = await receive(response, job.onBytes)
  const file = `${job.name}_${fileStamp(new Date())}.csv`
  saveFile(file, bytes)
  return file
}
