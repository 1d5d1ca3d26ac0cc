// An S3 server that runs here, or another one that is named, and what goes wrong with one.
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { request as requestSecurely } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import S3rver from 's3rver'
import { type BucketPlace, readBucketUrl } from '../env.files.ts'

/** The only credentials that the server knows. */
const CREDENTIALS = { AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'S3RVER' }

/** Handles a request in place of the server; returns false to let it pass. */
export type Fault = (request: IncomingMessage, response: ServerResponse) => boolean

export type TestBucket = {
  place: BucketPlace
  /** The same for ACC_FILES_URL. */
  url: string
  /** The requests so far, as `PUT /files/...`. */
  requests: string[]
  fault: Fault
  close(): Promise<void>
}

/** A server with an empty place in a bucket. */
type S3Server = { endpoint: string; name: string; prefix: string; region: string; stop(): Promise<void> }

/** Starts s3rver with a bucket. */
async function startOwn(): Promise<S3Server> {
  Object.assign(process.env, CREDENTIALS)
  const directory = await mkdtemp(join(tmpdir(), 'acc-s3-'))
  const configureBuckets = [{ name: 'files', configs: [] }]
  const server = new S3rver({ address: '127.0.0.1', port: 0, silent: true, directory, configureBuckets })
  const { port } = await server.run()
  const stop = async () => {
    await server.close()
    await rm(directory, { recursive: true, force: true })
  }
  return { endpoint: `http://127.0.0.1:${port}`, name: 'files', prefix: '', region: 'us-east-1', stop }
}

/** The server of ACC_TEST_BUCKET=s3://BUCKET/PREFIX?endpoint=... with the environment's credentials; never emptied. */
function findOther(address: string): S3Server {
  const place = readBucketUrl(address)
  if (place?.endpoint === undefined)
    throw new Error('ACC_TEST_BUCKET: 1, or s3://BUCKET/PREFIX?endpoint=http://HOST:PORT')
  const { name, prefix, region, endpoint } = place
  return { endpoint, name, prefix: `${prefix}${randomUUID()}/`, region, stop: async () => undefined }
}

/** Opens a bucket behind a proxy that can fail. */
export async function startBucket(): Promise<TestBucket> {
  const { ACC_TEST_BUCKET: other } = process.env
  const server = other?.startsWith('s3:') ? findOther(other) : await startOwn()
  const target = new URL(server.endpoint)
  const open = target.protocol === 'https:' ? requestSecurely : request
  const proxy = createServer((incoming, response) => {
    bucket.requests.push(`${incoming.method} ${incoming.url?.split('?')[0]}`)
    if (bucket.fault(incoming, response)) return
    const { method = '', url = '', headers } = incoming
    const outgoing = open({ hostname: target.hostname, port: target.port, method, path: url, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    outgoing.on('error', () => response.destroy())
    response.on('close', () => outgoing.destroy())
    incoming.pipe(outgoing)
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  const endpoint = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
  const { name, region } = server
  const prefix = `${server.prefix}acc/`
  const bucket: TestBucket = {
    place: { name, prefix, endpoint, region },
    url: `s3://${name}/${prefix.slice(0, -1)}?endpoint=${endpoint}&region=${region}`,
    requests: [],
    fault: () => false,
    async close() {
      proxy.closeAllConnections()
      proxy.close()
      await server.stop()
    },
  }
  return bucket
}
