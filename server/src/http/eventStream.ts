// Server-sent events (WHATWG HTML, section 9.2): one JSON document an event, and a comment line every 20 s for proxies.
// A stream that is read slowly waits and does not fill the memory. A server that stops ends all streams.
import { randomInt } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyReply } from 'fastify'

declare module 'fastify' {
  interface FastifyInstance {
    /** Ends each open event stream. */
    eventStreams: Set<() => void>
  }
}

/** Milliseconds between the lines that keep a silent stream alive. */
const KEEP_ALIVE = 20_000
/** Milliseconds until readers reconnect to a stream that its server ended: the minimum, and the random part. */
const RETRY_LEAST = 500
const RETRY_SPREAD = 2_000

/** Has a server that closes end its event streams, which would otherwise never end by themselves. */
export function endStreamsAtClose(http: FastifyInstance): void {
  http.decorate('eventStreams', new Set<() => void>())
  http.addHook('preClose', async () => {
    for (const end of http.eventStreams) end()
  })
}

/** Writes, and waits until the connection has taken it. */
async function write(raw: ServerResponse, text: string): Promise<void> {
  if (raw.destroyed || raw.write(text)) return
  await new Promise<void>((resolve) => {
    const go = () => {
      raw.off('drain', go).off('close', go)
      resolve()
    }
    raw.once('drain', go).once('close', go)
  })
}

export async function streamEvents(reply: FastifyReply, events: AsyncIterable<unknown>): Promise<FastifyReply> {
  reply.hijack()
  const { raw } = reply
  for (const [name, value] of Object.entries(reply.getHeaders())) if (value !== undefined) raw.setHeader(name, value)
  const { server: http } = reply
  const { eventStreams } = http
  const iterator = events[Symbol.asyncIterator]()
  const end = () => void iterator.return?.()
  eventStreams.add(end)
  raw.once('close', end)
  if (raw.destroyed) end()
  raw.writeHead(200, {
    'content-type': 'text/event-stream',
    'x-accel-buffering': 'no',
    // Its end is the connection's: a server that stops need not wait until the client lets go of it.
    connection: 'close',
  })
  raw.write(': open\n\n')
  const keepAlive = setInterval(() => raw.write(': \n\n'), KEEP_ALIVE)
  try {
    for (let next = await iterator.next(); !next.done; next = await iterator.next()) {
      await write(raw, `data: ${JSON.stringify(next.value)}\n\n`)
    }
  } finally {
    clearInterval(keepAlive)
    eventStreams.delete(end)
    end()
    // A server that ends asks for new streams a little later, and not for all of them at the same moment.
    if (http.phase.now === 'draining' && !raw.destroyed)
      raw.write(`retry: ${RETRY_LEAST + randomInt(RETRY_SPREAD)}\n\n`)
    raw.end()
  }
  return reply
}
