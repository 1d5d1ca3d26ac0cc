// Server-sent events (WHATWG HTML, section 9.2): one JSON document an event, a comment line every 20 s so that proxies keep
// the connection open.
import type { FastifyReply } from 'fastify'

/** Milliseconds between the lines that keep a silent stream alive. */
const KEEP_ALIVE = 20_000

export async function streamEvents(reply: FastifyReply, events: AsyncIterable<unknown>): Promise<FastifyReply> {
  reply.hijack()
  const { raw } = reply
  raw.writeHead(200, {
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'x-accel-buffering': 'no',
  })
  raw.write(': open\n\n')
  const keepAlive = setInterval(() => raw.write(': \n\n'), KEEP_ALIVE)
  const iterator = events[Symbol.asyncIterator]()
  raw.on('close', () => void iterator.return?.())
  try {
    for (let next = await iterator.next(); !next.done; next = await iterator.next()) {
      raw.write(`data: ${JSON.stringify(next.value)}\n\n`)
    }
  } finally {
    clearInterval(keepAlive)
    raw.end()
  }
  return reply
}
