// The DNS server of the system fails while mails go to a server by its name: other calls and sign-ins go on.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Answer, startDnsServer } from '@acc/server/test/dnsServer.ts'
import { check, checkOtherCalls } from './checks.ts'
import type { Drill } from './drill.ts'
import type { ServerPart } from './part.ts'
import { signIn } from './servers.ts'

const LASTS = 15_000
/** Milliseconds of a sign-in, which hashes on the threads that look names up. */
const SIGN_IN = 2_000
/** A loopback address that no DNS server of the machine uses. */
const HOST = '127.0.0.66'

const [SERVFAIL, REFUSED] = [2, 5]
const FAULTS: Record<string, ReturnType<Answer>> = {
  'does not respond': undefined,
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

export function drillDns(drill: Drill): ServerPart {
  return {
    options: {
      under: withResolver(drill),
      env: { ACC_MAIL_URL: 'smtp://mail.drill.test?from=acc@example.com&encrypt=none' },
    },
    run: async ({ node, load }, times) => {
      let answer: ReturnType<Answer>
      const dns = await startDnsServer(() => answer, { port: 53, host: HOST })
      drill.atEnd(dns.stop)
      for (const [name, fault] of Array.from({ length: times }, () => Object.entries(FAULTS)).flat()) {
        answer = fault
        await checkOtherCalls(load, `the DNS server ${name}`, LASTS, async () => {
          const begun = performance.now()
          const cookie = await signIn(node.url)
          const ms = performance.now() - begun
          check(cookie !== '' && ms <= SIGN_IN, `a sign-in takes ${ms.toFixed(0)} ms (target ${SIGN_IN} ms)`)
        })
      }
      check(dns.asked.length > 0, `the server asked ${dns.asked.length} times`)
    },
  }
}
