// Reads the multipart body of a form (RFC 7578): one file, kept in memory up to the size that its route declares, and a few
// short texts beside it. Nothing is read before the runner has let the caller through.
import { Readable } from 'node:stream'
import { FILE_PART } from '@acc/contract/core/client'
import { fileName } from '@acc/contract/core/fields'
import type { BusboyInstance } from '@fastify/busboy'
import type { FastifyRequest } from 'fastify'
import type { FormFile } from '../core/context.ts'
import { Failure } from '../core/errors.ts'
import { UnsupportedMedia } from './bodies.ts'

/** The file, and the other parts as pairs in the manner of a query string (query.ts). */
export type Form = { file: FormFile; parts: Map<string, string[]> }

/** A form with a longer file, or with more beside it, than its route takes. */
class FormTooLarge extends Error {
  override readonly name = 'FormTooLarge'
  readonly statusCode = 413
}

const MAX_PARTS = 20
const MAX_PART = 16 * 1024
/** Bytes at most of everything but the file: texts, headers of parts, what is before and after them. */
const MAX_BESIDE = 64 * 1024
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

/** Collects the parts of a form while its parser reads them. `fault` is the first thing that is wrong with it. */
function collect(parser: BusboyInstance) {
  const found = { name: '', chunks: [] as Buffer[], isFile: false, parts: new Map<string, string[]>() }
  let fault: Error | undefined
  const blame = (error: Error) => {
    fault ??= error
  }
  const blameFormat = () => blame(new Failure('INVALID_INPUT'))
  parser
    .on('file', (part, stream, name) => {
      const parsed = fileName.safeParse(name)
      if (part !== FILE_PART || !parsed.success) blame(refusal(FILE_PART))
      found.name = parsed.data ?? ''
      found.isFile = true
      stream
        .on('data', (chunk: Buffer) => void found.chunks.push(chunk))
        .on('limit', () => blame(new FormTooLarge()))
        .on('error', blameFormat)
    })
    .on('field', (name, value, isNameCut, isValueCut) => {
      if (isNameCut || isValueCut) blame(refusal(name))
      found.parts.set(name, [...(found.parts.get(name) ?? []), value])
    })
    .on('filesLimit', () => blame(refusal(FILE_PART)))
    .on('fieldsLimit', () => blame(new FormTooLarge()))
    .on('partsLimit', () => blame(new FormTooLarge()))
    .on('error', blameFormat)
  return { found, fault: () => fault }
}

/** Reads a form. What is left of a refused one is read and dropped after the answer (bodies.ts). */
export async function readForm(request: FastifyRequest, maxFile: number): Promise<Form> {
  const body = request.body
  if (!(body instanceof Readable)) throw new UnsupportedMedia()
  const parser = await parserOf(request, maxFile)
  const { found, fault } = collect(parser)
  const ended = new Promise((resolve) => parser.once('finish', resolve).once('error', resolve))
  let size = 0
  try {
    for await (const chunk of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size > maxFile + MAX_BESIDE) throw new FormTooLarge()
      parser.write(chunk)
      const error = fault()
      if (error !== undefined) throw error
    }
  } catch (error) {
    // The connection broke within the form: no one waits for the response.
    if (body.destroyed) throw new Failure('INVALID_INPUT')
    throw error
  }
  parser.end()
  await ended
  const error = fault()
  if (error !== undefined) throw error
  if (!found.isFile) throw refusal(FILE_PART)
  return { file: { name: found.name, bytes: Buffer.concat(found.chunks) }, parts: found.parts }
}
