// The bytes of an upload as they come. A connection that brings none for a minute is given up, so that it holds neither the
// file nor a socket; time that the disk takes does not count.
import type { Readable } from 'node:stream'
import { giveBack } from '../../files/giveBack.ts'

/** Milliseconds without a byte. */
const IDLE = 60_000

/**
 * Hands on the chunks of a body, each for as long as its reader works on it. Destroys the body, with its connection, where
 * nothing came for `idle` or where `lost` tells that the file is not ours any more; otherwise it stays open for the answer,
 * also when this is left early.
 */
export async function* arrivals(body: Readable, lost: AbortSignal, idle = IDLE): AsyncGenerator<Uint8Array> {
  let isWaiting = true
  const timer = setTimeout(() => {
    if (isWaiting) body.destroy(new Error('nothing came for too long'))
  }, idle)
  const onLost = () => void body.destroy(new Error('the lock on the file was lost'))
  lost.addEventListener('abort', onLost)
  if (lost.aborted) onLost()
  try {
    for await (const chunk of body.iterator({ destroyOnReturn: false })) {
      isWaiting = false
      yield chunk
      giveBack(chunk)
      isWaiting = true
      timer.refresh()
    }
  } finally {
    clearTimeout(timer)
    lost.removeEventListener('abort', onLost)
  }
}
