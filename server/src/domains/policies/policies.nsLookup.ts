// Looks up the addresses of a domain for the dialog of an exception (spec S1 §7): A and AAAA records by the server's
// resolver, within 3 seconds. Nothing is connected to.
import { Resolver } from 'node:dns/promises'
import { flagOf } from '@acc/contract/labels/flags'
import { MAX_ADDRESSES, type NsAnswer } from '@acc/contract/policies'
import { minutes } from '../../clock.ts'
import type { Actor, FreeContext } from '../../core/context.ts'
import { codeOf } from '../../disk.ts'
import { recordCount } from '../credentials/throttles.ts'

/** Milliseconds for both questions. */
const TIME_LIMIT = 3000

/** The DNS says that there is no such name, or that it has no such record. */
const NOTHING = new Set(['ENOTFOUND', 'ENODATA'])

/** Returns the records, or undefined without an answer of a DNS server. */
async function answerOf(question: Promise<string[]>): Promise<string[] | undefined> {
  try {
    return [...new Set(await question)]
  } catch (error) {
    return NOTHING.has(codeOf(error)) ? [] : undefined
  }
}

/** `servers` are addresses of DNS servers; none: those of the system. */
export async function lookUp(domain: string, servers: readonly string[]): Promise<NsAnswer> {
  const resolver = new Resolver({ timeout: TIME_LIMIT, tries: 1 })
  if (servers.length > 0) resolver.setServers(servers)
  const timer = setTimeout(() => resolver.cancel(), TIME_LIMIT)
  try {
    const answers = await Promise.all([answerOf(resolver.resolve4(domain)), answerOf(resolver.resolve6(domain))])
    const [ipv4 = [], ipv6 = []] = answers
    return {
      ipv4: ipv4.slice(0, MAX_ADDRESSES),
      ipv6: ipv6.slice(0, MAX_ADDRESSES),
      isAnswered: flagOf(answers.some((answer) => answer !== undefined)),
      isCut: flagOf([ipv4, ipv6].some(({ length }) => length > MAX_ADDRESSES)),
    }
  } finally {
    clearTimeout(timer)
  }
}

/** Lookups of one person, on all nodes together. */
const limitOf = ({ idx }: Actor) => ({ key: `nsLookup:${idx}`, max: 20, window: minutes(1) })

/** Looks a domain up for a person; 113 beyond 20 a minute. */
export async function answerNsLookup(ctx: FreeContext<Actor>, { domain }: { domain: string }): Promise<NsAnswer> {
  const { services, actor } = ctx
  await recordCount(ctx, limitOf(actor), services.clock.now())
  return lookUp(domain, services.env.dnsServers)
}
