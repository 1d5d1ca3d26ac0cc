// The system's DNS server says nothing, refuses or sends something else, while mails go to a server by its name.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startSmtpServer } from '@acc/server/src/mail/smtp.fixture.ts'
import { type Answer, ipv4, startDnsServer } from '@acc/server/test/dnsServer.ts'
import type { Drill } from '../ha/drill.ts'
import { demand } from '../ha/judge.ts'
import { signIn } from '../ha/site.ts'
import { judgeArrivals, tryAllNow } from './mail.ts'
import type { Part } from './main.ts'
import { meanwhile } from './meanwhile.ts'

const LASTS = 15_000
/** Milliseconds that a sign-in may take meanwhile: it hashes on the threads that look names up. */
const SIGN_IN = 2_000
/** A loopback address that no DNS server of the machine uses. */
const HOST = '127.0.0.66'
const NAME = 'mail.drill.test'

const SERVFAIL = 2
const REFUSED = 5
const FAULTS: Record<string, ReturnType<Answer>> = {
  'says nothing': undefined,
  refuses: REFUSED,
  fails: SERVFAIL,
  'sends addresses of three bytes': [Buffer.alloc(3)],
}

/** Runs the server with a resolv.conf of its own. */
function withResolver(drill: Drill): [string, ...string[]] {
  const file = join(drill.root, 'resolv.conf')
  writeFileSync(file, `nameserver ${HOST}\n`, { mode: 0o644 })
  return ['unshare', '--mount', 'sh', '-c', `mount --bind ${file} /etc/resolv.conf && exec "$@"`, 'sh']
}

export async function openDns(drill: Drill): Promise<Part> {
  const smtp = await startSmtpServer()
  drill.atEnd(smtp.stop)
  const state: { fault: ReturnType<Answer>; isSound: boolean } = { fault: undefined, isSound: true }
  const soundAnswer: Answer = ({ name, type }) => (name === NAME && type === 'A' ? [ipv4(127, 0, 0, 1)] : [])
  const dns = await startDnsServer((question) => (state.isSound ? soundAnswer(question) : state.fault), {
    port: 53,
    host: HOST,
  })
  drill.atEnd(dns.stop)
  return {
    options: {
      under: withResolver(drill),
      env: { ACC_MAIL_URL: `smtp://${NAME}:${smtp.settings.serverPort}?from=acc@example.com&encrypt=none` },
    },
    run: async ({ node, load }, times) => {
      for (let at = 0; at < times; at++) {
        for (const [name, fault] of Object.entries(FAULTS)) {
          Object.assign(state, { fault, isSound: false })
          await meanwhile(load, `the DNS server ${name}`, LASTS, async () => {
            const begun = performance.now()
            const cookie = await signIn(node.url)
            const ms = performance.now() - begun
            demand(cookie !== '' && ms <= SIGN_IN, `a sign-in takes ${ms.toFixed(0)} ms (wanted <= ${SIGN_IN} ms)`)
          })
        }
        state.isSound = true
      }
      await load.end()
      await tryAllNow(node.dataDir)
      await judgeArrivals(node.dataDir, smtp.received)
      demand(
        dns.asked.some(({ name }) => name === NAME),
        `the server asked the DNS server ${dns.asked.length} times`,
      )
    },
  }
}
