// Reads the multipart body of a form (RFC 7578): one file up to the size that its route declares, in memory or as a
// stream, and a few short texts. Nothing is read before the runner has admitted the caller.
import { once } from 'node:events'
import { Readable } from 'node:stream'
import { filePartOf } from '@acc/contract/core/client'
import { fileName } from '@acc/contract/core/fields'
import type { Route } from '@acc/contract/core/route'
import type { BusboyInstance } from '@fastify/busboy'
import type { FastifyRequest } from 'fastify'
import type { FormFile, StreamedFile } from '../core/context.ts'
import { Failure } from '../core/errors.ts'
import { UnsupportedMedia } from './bodies.ts'

/** The file, and the other parts as pairs in the manner of a query string (query.ts). */
export type Form = {
  file: FormFile | StreamedFile
  parts: Map<string, string[]>
  /** Ends the reading. What is left of a refused form is read and dropped after the answer (bodies.ts). */
  close(): Promise<unknown>
}

/** A form with a longer file, or with more other content, than its route accepts. */
class FormTooLarge extends Error {
  override readonly name = 'FormTooLarge'
  readonly statusCode = 413
}

const MAX_PARTS = 20
const MAX_PART = 16 * 1024
/** Maximum bytes of everything but the file: texts, headers of parts, and bytes before and after the parts. */
const MAX_REST = 64 * 1024
const LIMITS = {
  files: 1,
  fields: MAX_PARTS,
  parts: MAX_PARTS + 1,
  fieldSize: MAX_PART,
  headerPairs: 20,
  headerSize: 4 * 1024,
}

const refusal = (field: string) => new Failure('INVALID_INPUT', { fields: [field] })

async function parserOf(request: FastifyRequest, fileSize: number) {
  const { Busboy } = await import('@fastify/busboy')
  try {
    const headers = { ...request.headers, 'content-type': request.headers['content-type'] ?? '' }
    return new Busboy({ headers, limits: { ...LIMITS, fileSize } })
  } catch {
    // No boundary between the parts is named.
    throw new UnsupportedMedia()
  }
}

/** What has been read of a form. `chunks` are those of its file that no one has taken yet. */
type FormPart = { name: string; chunks: Buffer[]; isFile: boolean; parts: Map<string, string[]> }

/** Collects the parts of a form while its parser reads them. `fault` is the first thing that is wrong with it. */
function collect(parser: BusboyInstance, filePart: string, isStreamed: boolean) {
  const found: FormPart = { name: '', chunks: [], isFile: false, parts: new Map() }
  let fault: Error | undefined
  const blame = (error: Error) => {
    fault ??= error
  }
  const blameFormat = () => blame(new Failure('INVALID_INPUT'))
  parser
    .on('file', (part, stream, name) => {
      const parsed = fileName.safeParse(name)
      if (part !== filePart || !parsed.success) blame(refusal(filePart))
      found.name = parsed.data ?? ''
      found.isFile = true
      stream
        .on('data', (chunk: Buffer) => void found.chunks.push(chunk))
        .on('limit', () => blame(new FormTooLarge()))
        .on('error', blameFormat)
    })
    .on('field', (name, value, isNameCut, isValueCut) => {
      // The handler of a streamed file has its input already.
      if (isNameCut || isValueCut || (isStreamed && found.isFile)) blame(refusal(name))
      found.parts.set(name, [...(found.parts.get(name) ?? []), value])
    })
    .on('filesLimit', () => blame(refusal(filePart)))
    .on('fieldsLimit', () => blame(new FormTooLarge()))
    .on('partsLimit', () => blame(new FormTooLarge()))
    .on('error', blameFormat)
  return {
    found,
    throwFault: () => {
      if (fault !== undefined) throw fault
    },
  }
}

/** Feeds the parser chunk by chunk, to the end of the form. Throws the first fault. */
async function* feed(body: Readable, parser: BusboyInstance, maxSize: number, throwFault: () => void) {
  const ended = new Promise((resolve) => parser.once('finish', resolve).once('error', resolve))
  let size = 0
  try {
    for await (const chunk of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size > maxSize) throw new FormTooLarge()
      if (!parser.write(chunk)) await Promise.race([once(parser, 'drain'), ended])
      throwFault()
      yield
    }
  } catch (error) {
    // The connection broke within the form: no one waits for the response.
    if (body.destroyed) throw new Failure('INVALID_INPUT')
    throw error
  }
  parser.end()
  await ended
  throwFault()
}

async function* readChunks(feeding: AsyncIterable<void>, { chunks }: FormPart): AsyncGenerator<Buffer> {
  yield* chunks.splice(0)
  for await (const _ of feeding) yield* chunks.splice(0)
  yield* chunks.splice(0)
}

/** Reads a form, a streamed one up to its file. */
export async function readForm(request: FastifyRequest, route: Route): Promise<Form> {
  const maxFile = 'maxFile' in route ? (route.maxFile ?? 0) : 0
  const isStreamed = 'isStreamed' in route && route.isStreamed === true
  const filePart = filePartOf(route)
  const maxSize = maxFile + MAX_REST
  const size = Number(request.headers['content-length'] ?? maxFile)
  const { body } = request
  if (!(body instanceof Readable)) throw new UnsupportedMedia()
  if (size > maxSize) throw new FormTooLarge()
  const parser = await parserOf(request, maxFile)
  const { found, throwFault } = collect(parser, filePart, isStreamed)
  const feeding = feed(body, parser, maxSize, throwFault)
  const { parts } = found
  let isAtEnd = false
  while (!isAtEnd && !(isStreamed && found.isFile)) isAtEnd = (await feeding.next()).done === true
  if (!found.isFile) throw refusal(filePart)
  const close = () => feeding.return()
  if (!isStreamed) return { file: { name: found.name, bytes: Buffer.concat(found.chunks) }, parts, close }
  return { file: { name: found.name, size, chunks: readChunks(feeding, found) }, parts, close }
}
