// Compressed responses of many callers. Compressed once and not for each caller, since compressing a large one takes a
// hundred times the work of another call. All callers share the bytes.
import { promisify } from 'node:util'
import { constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest, onSendAsyncHookHandler } from 'fastify'

const compress = promisify(gzip)

/** Shorter texts are sent as they are. */
const MIN_LENGTH = 2048
const ACCEPTS = /(?:^|,)\s*(?:gzip|\*)\s*(?:,|;(?!\s*q=0(?:\.0*)?\s*(?:,|$))|$)/i

export type Packed = { plain: Buffer; gzip: Promise<Buffer> }

/** Compresses for responses that are kept. */
export function pack(content: string | Buffer): Packed {
  const plain = Buffer.from(content)
  return { plain, gzip: compress(plain, { level: constants.Z_BEST_COMPRESSION }) }
}

/** Whether the caller accepts gzip. Sets the headers of the response accordingly. */
export function agreeOnGzip({ headers }: FastifyRequest, reply: FastifyReply): boolean {
  const isAccepted = ACCEPTS.test(headers['accept-encoding'] ?? '')
  reply.header('vary', 'accept-encoding')
  if (isAccepted) reply.header('content-encoding', 'gzip')
  return isAccepted
}

/** Texts of a route that are kept: those of each language. */
const MAX_KEPT = 2

/** Makes the hook of a route whose text is mostly the same. */
export function packed(): onSendAsyncHookHandler {
  const kept = new Map<string, Packed>()
  const keep = (text: string) => {
    const entry = pack(text)
    const [oldest] = kept.keys()
    if (oldest !== undefined && kept.size >= MAX_KEPT) kept.delete(oldest)
    kept.set(text, entry)
    return entry
  }
  return async (request, reply, payload) => {
    if (typeof payload !== 'string' || payload.length < MIN_LENGTH) return payload
    const { plain, gzip } = kept.get(payload) ?? keep(payload)
    reply.removeHeader('content-length')
    return agreeOnGzip(request, reply) ? gzip : plain
  }
}
