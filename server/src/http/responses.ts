// How what a handler returns is sent, by the kind of its route.
import type { Route } from '@acc/contract/core/route'
import type { FastifyReply } from 'fastify'
import type { Download, HtmlPage } from '../core/context.ts'
import { isShared } from '../core/sharedAnswers.ts'
import { FileStoreError } from '../files/errors.ts'
import { contentDisposition } from './contentDisposition.ts'
import { streamEvents } from './eventStream.ts'
import { agreeOnGzip, type Packed, pack } from './packed.ts'
import { placeOf } from './securityLog.ts'

/** Logs a download that breaks off: the caller sees the end of the connection alone. */
function logBreak({ request }: FastifyReply, error: Error): void {
  const reason = error instanceof FileStoreError ? error.reason : error.message
  request.log.error({ ...placeOf(request), reason }, 'a download broke off')
}

function answerDownload(route: Route, reply: FastifyReply, download: Download) {
  reply.type(mediaTypeOf(route)).header('content-disposition', contentDisposition(download.fileName))
  // For a browser that would show the file instead of saving it.
  reply.header('content-security-policy', "default-src 'none'; sandbox")
  if (download.size !== undefined) reply.header('content-length', download.size)
  reply.raw.on('close', () => download.stream.destroy())
  download.stream.once('error', (error) => logBreak(reply, error))
  return reply.send(download.stream)
}

const mediaTypeOf = (route: Route) =>
  'mediaType' in route && route.mediaType !== undefined ? route.mediaType : 'application/octet-stream'

const answerPage = (reply: FastifyReply, { html, policy }: HtmlPage) =>
  reply.type('text/html; charset=utf-8').header('content-security-policy', policy).send(html)

export const envelope = (reply: FastifyReply, data: unknown) => reply.send({ errorCode: 0, message: '', data })

const written = new WeakMap<object, Packed>()

async function sendShared(route: Route, answer: object, reply: FastifyReply) {
  const bytes =
    written.get(answer) ?? pack(JSON.stringify({ errorCode: 0, message: '', data: route.data.parse(answer) }))
  written.set(answer, bytes)
  reply.type('application/json; charset=utf-8')
  return reply.send(agreeOnGzip(reply.request, reply) ? await bytes.gzip : bytes.plain)
}

/** Sends all but lists. */
export function send(route: Route, answer: unknown, reply: FastifyReply) {
  if (route.kind === 'download') return answerDownload(route, reply, answer as Download)
  if (route.kind === 'page') return answerPage(reply, answer as HtmlPage)
  if (route.kind === 'redirect') return reply.redirect(String(route.data.parse(answer)), 302)
  if (route.kind === 'events') return streamEvents(reply, answer as AsyncIterable<unknown>)
  if (isShared(answer)) return sendShared(route, answer, reply)
  return envelope(reply, route.data.parse(answer))
}
