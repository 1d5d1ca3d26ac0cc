// HAProxy before two instances of a test's server: with ACC_TEST_PAIR=1 (`npm run test:pair`) each call of a test goes to the
// other one than the call before it, so that a cache or a counter that only one instance knows shows.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort } from './process.ts'

export const IS_PAIR = process.env.ACC_TEST_PAIR === '1'

const configurationOf = (port: number, urls: readonly string[]) => `
global
  maxconn 2000
defaults
  mode http
  timeout connect 5s
  timeout client 2m
  timeout server 2m
frontend calls
  bind 127.0.0.1:${port}
  default_backend nodes
backend nodes
  balance roundrobin
${urls.map((url, at) => `  server node${at} ${new URL(url).host}`).join('\n')}
`

const isListening = (url: string) =>
  fetch(`${url}/Health/Live`).then(
    ({ status }) => status === 200,
    () => false,
  )

/** Starts HAProxy before the servers; `folder` receives its configuration. */
export async function openBalancer(folder: string, urls: readonly string[]) {
  const port = await freePort()
  const file = join(folder, 'haproxy.cfg')
  await writeFile(file, configurationOf(port, urls))
  const child = spawn('haproxy', ['-db', '-f', file], {
    env: { PATH: `${process.env.PATH}:/usr/sbin` },
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
