// Whether a server runs on a data directory, its version, and whether it is ready.
import { get } from 'node:http'
import { join } from 'node:path'
import { type Holder, readHolder } from '../db/embedded/holder.ts'

/** Names the lock and the pid file of a server that the launcher started. */
export const NAME = 'acc'
const PATIENCE = 10_000

export const findHolder = (dataDir: string): Holder | undefined => readHolder(join(dataDir, `${NAME}.pid`))

/** Calls the running server. Returns the body and whether the status is 200, or the reason of a failed call. */
async function call(path: string): Promise<{ isOk: boolean; text: string }> {
  // Only this command loads the settings.
  const { host, port } = (await import('../env.ts')).readEnv(process.env)
  const address = { '0.0.0.0': '127.0.0.1', '::': '::1' }[host] ?? host
  return new Promise((resolve) => {
    const options = { host: address, port, path, headers: { host: 'localhost' }, timeout: PATIENCE }
    const request = get(options, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part
      })
      response.on('end', () => resolve({ isOk: response.statusCode === 200, text }))
    })
    request.on('timeout', () => request.destroy(new Error(`no response in ${PATIENCE / 1000} s`)))
    request.on('error', ({ message }) => resolve({ isOk: false, text: message }))
  })
}

/** Returns the reason why the server is not ready; undefined if it is. */
export async function findObstacle(): Promise<string | undefined> {
  const { isOk, text } = await call('/Health/Ready')
  return isOk ? undefined : text
}

/** Returns the version of the running server; undefined while it does not respond. */
export async function findRunningVersion(): Promise<string | undefined> {
  const { isOk, text } = await call('/Configs')
  // Only a start loads the contract.
  const { api } = await import('@acc/contract')
  return isOk ? api.configs.find.data.parse(JSON.parse(text).data).serverVersion : undefined
}
