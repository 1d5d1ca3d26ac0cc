// The body of an upload with an idle timeout: a connection that sends nothing for a minute is closed, so that it
// occupies neither the file nor a socket. Time spent on writing does not count.
import type { Readable } from 'node:stream'

/** Milliseconds without a byte. */
const IDLE = 60_000

/**
 * Yields the chunks of a body. Destroys the body, with its connection, after `idle` without a chunk or when `lost`
 * reports a lost lock; otherwise the connection remains open for the response.
 */
export async function* withIdleTimeout(body: Readable, lost: AbortSignal, idle = IDLE): AsyncGenerator<Uint8Array> {
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
      isWaiting = true
      timer.refresh()
    }
  } finally {
    clearTimeout(timer)
    lost.removeEventListener('abort', onLost)
  }
}
