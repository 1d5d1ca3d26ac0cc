// The network of an address, by which calls are counted: an IPv4 address, or an IPv6 /64, which one subscriber owns.
import { isIPv6 } from 'node:net'

const GROUPS = 8

/** The eight groups of an IPv6 address in lower-case hexadecimal without leading zeros. */
function groupsOf(address: string): string[] {
  const { hostname } = new URL(`http://[${address}]`)
  const [head = '', tail] = hostname.slice(1, -1).split('::')
  const split = (text: string) => (text === '' ? [] : text.split(':'))
  if (tail === undefined) return split(head)
  const [left, right] = [split(head), split(tail)]
  return [...left, ...Array<string>(GROUPS - left.length - right.length).fill('0'), ...right]
}

/** Returns the network of a caller's address, as a key of counters. */
export function networkOf(ip: string): string {
  const [address = ''] = ip.split('%')
  return isIPv6(address) ? `${groupsOf(address).slice(0, 4).join(':')}::/64` : ip
}
