// Tests a mail server that is not set yet. Its address comes from a form, so the test must not help to explore the
// network: only mail ports and unprivileged ones, no link-local addresses or cloud metadata, nothing is sent before the
// server has greeted by SMTP, and every failure takes the same time.
import { lookup } from 'node:dns/promises'
import { BlockList, isIPv6 } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { MailError } from './errors.ts'
import type { OutgoingMail } from './message.ts'
import { type MailServer, portOf, sendBySmtp } from './smtp.ts'

/** Milliseconds that a test may take, and that every failed one takes. */
export const TEST_TIME = 10_000

const MAIL_PORTS = new Set([25, 465, 587])
const FIRST_UNPRIVILEGED = 1024

const refused = new BlockList()
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['100.100.100.200', 32],
  ['169.254.0.0', 16],
  ['224.0.0.0', 3],
] as const)
  refused.addSubnet(network, bits, 'ipv4')
for (const [network, bits] of [
  ['::', 128],
  ['fd00:ec2::254', 128],
  ['fe80::', 10],
  ['ff00::', 8],
] as const)
  refused.addSubnet(network, bits, 'ipv6')

/** Returns whether no server of an organization has this address: the link, cloud metadata, multicast, or no host. */
export const isNoServer = (address: string): boolean => refused.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')

/** Resolves the server's name once, so that the checked address is the connected one. */
async function addressOf(server: MailServer): Promise<string> {
  const port = portOf(server)
  if (port < FIRST_UNPRIVILEGED && !MAIL_PORTS.has(port)) throw new MailError('not a port of mail')
  const found = await lookup(server.serverAddress).catch(() => {
    throw new MailError("the mail server's address was not found")
  })
  if (isNoServer(found.address)) throw new MailError('not an address of mail')
  return found.address
}

export async function testMailServer(server: MailServer, mail: OutgoingMail, time: number): Promise<void> {
  const sameTime = wait(time, undefined, { ref: false })
  const limits = { greeting: time, silence: time, all: time }
  const tooLate = sameTime.then(() => {
    throw new MailError('the mail server took too long')
  })
  try {
    const send = async () => sendBySmtp(server, mail, { limits, address: await addressOf(server) })
    await Promise.race([send(), tooLate])
  } catch (error) {
    await sameTime
    throw error
  }
}
