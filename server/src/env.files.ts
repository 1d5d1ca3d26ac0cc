// Where files are stored: a folder, or s3://BUCKET[/PREFIX][?endpoint=https://HOST:PORT&region=REGION].
import { resolve } from 'node:path'
import { z } from 'zod'

/** The operator's choice of a medium. */
export type FilesPlace = { folder: string } | { bucket: BucketPlace }

export type BucketPlace = {
  /** Name of the bucket, which exists. */
  name: string
  /** Before each key; empty or ending in `/`. */
  prefix: string
  /** Address of the service; undefined for AWS. */
  endpoint: string | undefined
  region: string
}

/** A name that S3 allows (Amazon S3 User Guide, general purpose bucket naming rules). */
const NAME = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/
/** Characters that every S3 service takes in keys without escapes; no empty, `.` or `..` step. */
const PREFIX = /^(?:(?!\.{1,2}\/)[\w.-]+\/)*$/
const MAX_PREFIX = 200

const Parameters = z.strictObject({
  endpoint: z.url({ protocol: /^https?$/ }).optional(),
  region: z
    .string()
    .regex(/^[a-z0-9-]{1,64}$/)
    .default('us-east-1'),
})

/** Reads the address of a bucket. Returns undefined for other text. */
export function readBucketUrl(text: string): BucketPlace | undefined {
  const url = URL.parse(text)
  if (url?.protocol !== 's3:' || url.username !== '' || url.port !== '' || url.hash !== '') return undefined
  const { data } = Parameters.safeParse(Object.fromEntries(url.searchParams))
  const path = url.pathname.replace(/^\//, '').replace(/\/$/, '')
  const prefix = path === '' ? '' : `${path}/`
  if (data === undefined || !NAME.test(url.hostname) || !PREFIX.test(prefix) || prefix.length > MAX_PREFIX)
    return undefined
  return { name: url.hostname, prefix, endpoint: data.endpoint, region: data.region }
}

const FILES_FORM = 'a folder, or s3://BUCKET/PREFIX?endpoint=https://HOST:PORT&region=REGION'
const ADDRESS = /^[a-z0-9+.-]+:\/\//i

export const filesPlace = z.string().transform((text, ctx): FilesPlace => {
  if (!ADDRESS.test(text)) return { folder: resolve(text) }
  const bucket = readBucketUrl(text)
  if (bucket !== undefined) return { bucket }
  ctx.addIssue(FILES_FORM)
  return z.NEVER
})
