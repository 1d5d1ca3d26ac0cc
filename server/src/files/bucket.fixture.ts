// An S3 server that runs here, and what goes wrong with one.
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import S3rver from 's3rver'
import type { BucketPlace } from '../env.files.ts'

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

/** Starts a server with a bucket, behind a proxy that can fail. */
export async function startBucket(): Promise<TestBucket> {
  Object.assign(process.env, CREDENTIALS)
  const directory = await mkdtemp(join(tmpdir(), 'acc-s3-'))
  const configureBuckets = [{ name: 'files', configs: [] }]
  const server = new S3rver({ address: '127.0.0.1', port: 0, silent: true, directory, configureBuckets })
  const { port } = await server.run()
  const proxy = createServer((incoming, response) => {
    bucket.requests.push(`${incoming.method} ${incoming.url?.split('?')[0]}`)
    if (bucket.fault(incoming, response)) return
    const { method = '', url = '', headers } = incoming
    const outgoing = request({ host: '127.0.0.1', port, method, path: url, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    outgoing.on('error', () => response.destroy())
    response.on('close', () => outgoing.destroy())
    incoming.pipe(outgoing)
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  const endpoint = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
  const bucket: TestBucket = {
    place: { name: 'files', prefix: 'acc/', endpoint, region: 'us-east-1' },
    url: `s3://files/acc?endpoint=${endpoint}`,
    requests: [],
    fault: () => false,
    async close() {
      proxy.closeAllConnections()
      proxy.close()
      await server.close()
      await rm(directory, { recursive: true, force: true })
    },
  }
  return bucket
}
