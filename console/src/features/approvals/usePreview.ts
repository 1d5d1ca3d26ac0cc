// Fetches a file for its preview and lets a thread decode it, within a deadline.
import { api } from '@acc/contract'
import { ApiError } from '@acc/contract/core/client'
import { endingOf, HEAD_BYTES, kindOf } from '@acc/contract/filePreview'
import type { FileKind } from '@acc/contract/labels/fileKind'
import { NoPreview } from '@acc/contract/requestFiles'
import { useEffect, useRef, useState } from 'react'
import { callFile } from '../../kit/api/call.ts'
import { markHandled } from '../../kit/api/errors.ts'
import type { PreviewAnswer, PreviewQuestion } from './preview.worker.ts'

/** Milliseconds that a file, or a page of it, may take. */
const DEADLINE = 10_000

export type Preview = {
  /** Undefined until the first bytes are here. */
  kind?: FileKind
  /** Bytes that were received: fewer than those of the file if its text is cut. */
  bytes?: number
  shown?: Exclude<PreviewAnswer, { failed: string }>
  /** Why nothing is shown. */
  problem?: NoPreview['reason'] | 'password' | 'content' | 'deadline' | Error
}

function problemOf(error: unknown): Preview {
  const refused = error instanceof ApiError && error.error === 'NO_PREVIEW' ? NoPreview.parse(error.data) : undefined
  if (refused !== undefined) return { kind: refused.kind, problem: refused.reason }
  return { problem: error instanceof Error ? error : new Error(String(error)) }
}

/** A thread for one file; `answer` receives what it shows, or that it took too long. */
function openDecoder(answer: (answer: PreviewAnswer | { failed: 'deadline' }) => void) {
  const worker = new Worker(new URL('./preview.worker.ts', import.meta.url), { type: 'module' })
  let deadline: ReturnType<typeof setTimeout> | undefined
  const close = () => {
    clearTimeout(deadline)
    worker.terminate()
  }
  worker.addEventListener('message', ({ data }: MessageEvent<PreviewAnswer>) => {
    clearTimeout(deadline)
    answer(data)
  })
  // Out of memory, among others.
  worker.addEventListener('error', () => {
    close()
    answer({ failed: 'content' })
  })
  const ask = (question: PreviewQuestion) => {
    clearTimeout(deadline)
    deadline = setTimeout(() => {
      close()
      answer({ failed: 'deadline' })
    }, DEADLINE)
    worker.postMessage(question, { transfer: 'bytes' in question ? [question.bytes.buffer] : [] })
  }
  return { ask, close }
}

type File = { fileEximport: number; idx: number; fileName: string }

/** `width`: pixels for pictures. `turnTo` shows another page of a PDF. */
export function usePreview({ fileEximport, idx, fileName }: File, width: number) {
  const [preview, setPreview] = useState<Preview>({})
  const decoder = useRef<ReturnType<typeof openDecoder>>(undefined)
  useEffect(() => {
    const job = new AbortController()
    setPreview({})
    const show = (answer: PreviewAnswer | { failed: 'deadline' }) =>
      setPreview((before) =>
        'failed' in answer ? { ...before, problem: answer.failed } : { ...before, shown: answer },
      )
    const load = async () => {
      const response = await callFile(api.requests.preview, { fileEximport, file: idx }, { signal: job.signal })
      const bytes = await response.bytes()
      if (job.signal.aborted) return
      const kind = kindOf(bytes.subarray(0, HEAD_BYTES))
      setPreview({ kind, bytes: bytes.length })
      decoder.current = openDecoder(show)
      decoder.current.ask({ kind, ending: endingOf(fileName), bytes, width })
    }
    load().catch((error: unknown) => {
      markHandled(error)
      if (!job.signal.aborted) setPreview(problemOf(error))
    })
    return () => {
      job.abort()
      decoder.current?.close()
      decoder.current = undefined
    }
  }, [fileEximport, idx, fileName, width])
  return { preview, turnTo: (page: number) => decoder.current?.ask({ page, width }) }
}
