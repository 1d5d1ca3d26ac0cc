// HAProxy before two instances of a test's server: with ACC_TEST_PAIR=1 (`npm run test:pair`) each call of a test goes
// to the other one than the call before it, so that a cache or a counter that only one instance knows shows.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort } from './process.ts'

export const IS_PAIR = process.env.ACC_TEST_PAIR === '1'

const DOCUMENTED = join(import.meta.dirname, '../../docs/operations/haproxy/calls.cfg')
/** Returns the documented configuration, but with nodes that take turns. */
const configuration = async () =>
  (await readFile(DOCUMENTED, 'utf8')).replace('balance leastconn', 'balance roundrobin')

const isListening = (url: string) =>
  fetch(`${url}/Health/Live`).then(
    ({ status }) => status === 200,
    () => false,
  )

/** Starts HAProxy before the servers; `folder` receives its configuration. */
export async function openBalancer(folder: string, urls: readonly [string, string]) {
  const port = await freePort()
  const file = join(folder, 'haproxy.cfg')
  await writeFile(file, await configuration())
  const [first, second] = urls.map((url) => new URL(url).host)
  const child = spawn('haproxy', ['-db', '-f', file], {
    env: {
      PATH: `${process.env.PATH}:/usr/sbin`,
      ACC_BIND: `127.0.0.1:${port}`,
      WATCH_BIND: `127.0.0.1:${await freePort()}`,
      NODE_1: first,
      NODE_2: second,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let complaint = ''
  child.stderr.on('data', (part: Buffer) => {
    complaint += part.toString()
  })
  child.on('error', () => {
    complaint = "npm run test:pair needs Debian's package haproxy, which is missing here"
  })
  const url = `http://127.0.0.1:${port}`
  while (!(await isListening(url))) {
    if (child.pid === undefined || child.exitCode !== null) throw new Error(complaint)
  }
  const close = async () => {
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    await ended
  }
  return { url, close }
}
