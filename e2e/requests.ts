// Requests for files as the desktop client makes them, by its typed calls, which is faster than the program itself.
import { createHash } from 'node:crypto'
import { type Api, api } from '@acc/contract'
import { type Client, createClient } from '@acc/contract/core/client'
import type { Person } from './arrange.ts'

export type DesktopClient = Client<Api>
type Content = Record<string, string | Buffer>

/** A person's desktop client, signed in on a PC of their own. */
export async function signInPc(
  baseUrl: string,
  { id, password }: Pick<Person, 'id' | 'password'>,
  deviceName = 'PC',
  deviceId = `pc-of-${id}`,
): Promise<DesktopClient> {
  let token = ''
  const headers = (): Record<string, string> => (token === '' ? {} : { Authorization: `Bearer ${token}` })
  const client = createClient(api, { baseUrl, headers })
  const answer = await client.agent.login({
    id,
    pw: password,
    deviceId,
    deviceName,
    clientVersion: '2.1.0',
  })
  token = answer.token
  return client
}

/** Requests an export (1) or import (0), uploads the files and returns the request's number. */
export async function requestFiles(
  client: DesktopClient,
  type: 0 | 1,
  purpose: string,
  content: Content,
  urgentReason?: string,
): Promise<number> {
  const files = Object.entries(content).map(([name, text]) => ({ name, bytes: Buffer.from(text) }))
  const described = files.map(({ name, bytes }) => ({
    name,
    size: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
  }))
  const made = await client.requests.create({ type, purpose, urgentReason, files: described })
  for (const [at, file] of made.files.entries()) {
    const bytes = files[at]?.bytes
    if (file.isUploaded === 0 && bytes !== undefined)
      await client.requests.upload(
        { fileEximport: made.idx, file: file.idx, offset: 0 },
        new Blob([new Uint8Array(bytes)]),
      )
  }
  return made.idx
}

export const requestExport = (client: DesktopClient, purpose: string, content: Content): Promise<number> =>
  requestFiles(client, 1, purpose, content)
