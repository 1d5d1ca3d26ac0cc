// The objects of a bucket, through the S3 client of the AWS SDK.
import {
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3'
import type { BucketPlace } from '../env.files.ts'
import { FileStoreError } from './errors.ts'

/** Milliseconds until a connection must be there. */
const CONNECTION_TIMEOUT = 5_000
/** Connections to the service at once; each upload and download holds at most one. */
const MAX_SOCKETS = 200
/** Tries of a request that failed for a cause that may pass. */
const MAX_ATTEMPTS = 3

/** What the blocks of files need of a service. Failures are FileStoreErrors. */
export type Objects = {
  put(key: string, content: Uint8Array): Promise<void>
  /** The bytes of an object from `from` on; the service may break off before its end. */
  get(key: string, from: number): Promise<AsyncIterable<Uint8Array>>
  remove(key: string): Promise<void>
  list(prefix: string): AsyncGenerator<ListedObject>
}
type ListedObject = { key: string; size: number; writtenDT: Date }

/** Conditions that pass once there is room again. */
const NO_SPACE = new Set(['InsufficientCapacity', 'QuotaExceeded', 'XMinioStorageFull'])

function reasonOf(error: unknown): FileStoreError {
  if (error instanceof FileStoreError) return error
  const { name, message, $metadata } = error as Error & { $metadata?: { httpStatusCode?: number } }
  const isFull = NO_SPACE.has(name) || $metadata?.httpStatusCode === 507
  const reason = isFull ? 'noSpace' : name === 'NoSuchKey' ? 'missing' : 'unavailable'
  return new FileStoreError(reason, `the file store failed (${name}: ${message})`.slice(0, 300), { cause: error })
}

/** Waits for the service and gives its failure a reason. */
export async function onService<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw reasonOf(error)
  }
}

const clientOf = ({ endpoint, region }: BucketPlace, idle: number) =>
  new S3Client({
    region,
    // Services other than AWS are rarely reached by a name for each bucket.
    ...(endpoint !== undefined && { endpoint, forcePathStyle: true }),
    maxAttempts: MAX_ATTEMPTS,
    // Segments authenticate themselves, and not every service knows the checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: CONNECTION_TIMEOUT,
      requestTimeout: idle,
      throwOnRequestTimeout: true,
      socketTimeout: idle,
      httpAgent: { maxSockets: MAX_SOCKETS },
      httpsAgent: { maxSockets: MAX_SOCKETS },
    },
  })

/** Opens a bucket. The SDK finds the credentials: first in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY. */
export function openObjects(place: BucketPlace, idle: number): Objects {
  const client = clientOf(place, idle)
  const { name: Bucket, prefix } = place
  const listPage = (Prefix: string, ContinuationToken: string | undefined) =>
    onService(client.send(new ListObjectsV2Command({ Bucket, Prefix, ContinuationToken })))
  return {
    put: async (key, Body) => {
      await onService(client.send(new PutObjectCommand({ Bucket, Key: prefix + key, Body })))
    },
    get: async (key, from) => {
      const command = new GetObjectCommand({ Bucket, Key: prefix + key, Range: `bytes=${from}-` })
      const { Body } = await onService(client.send(command))
      return Body as AsyncIterable<Uint8Array>
    },
    remove: async (key) => {
      await onService(client.send(new DeleteObjectCommand({ Bucket, Key: prefix + key })))
    },
    async *list(below) {
      let token: string | undefined
      do {
        const page = await listPage(prefix + below, token)
        for (const { Key = '', Size = 0, LastModified = new Date(0) } of page.Contents ?? [])
          yield { key: Key.slice(prefix.length), size: Size, writtenDT: LastModified }
        token = page.NextContinuationToken
      } while (token !== undefined)
    },
  }
}
