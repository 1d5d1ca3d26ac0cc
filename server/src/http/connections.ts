// Limits the connections that a node holds at the same time, in all and from one network, so that silent ones do not
// use up memory and descriptors. A reverse proxy that the operator names is exempt.
import { BlockList, isIPv6, type Server, type Socket } from 'node:net'
import { networkOf } from '../core/networks.ts'
import { plain } from './address.ts'

export const MAX_CONNECTIONS = { all: 10_000, ofNetwork: 2_000 }
/** Milliseconds without a byte in either direction before a connection is closed. Event streams send more often. */
export const SILENCE = 120_000

/** Returns whether an address is in one of these networks: an address, or address/bits. */
function matcherOf(networks: readonly string[]): (address: string) => boolean {
  const list = new BlockList()
  const familyOf = (address: string) => (isIPv6(address) ? 'ipv6' : 'ipv4')
  for (const network of networks) {
    const [address = '', bits] = network.split('/')
    if (bits === undefined) list.addAddress(address, familyOf(address))
    else list.addSubnet(address, Number(bits), familyOf(address))
  }
  return (address) => list.check(address, familyOf(address))
}

/** Closes new connections above the limits. `proxies` are the networks of reverse proxies. */
export function limitConnections(server: Server, proxies: readonly string[], limits = MAX_CONNECTIONS): void {
  const isProxy = matcherOf(proxies)
  const counts = new Map<string, number>()
  server.maxConnections = limits.all
  server.on('connection', (socket: Socket) => {
    const address = plain(socket.remoteAddress ?? '')
    if (isProxy(address)) return
    const network = networkOf(address)
    const count = (counts.get(network) ?? 0) + 1
    if (count > limits.ofNetwork) {
      socket.destroy()
      return
    }
    counts.set(network, count)
    socket.once('close', () => {
      const left = (counts.get(network) ?? 1) - 1
      if (left === 0) counts.delete(network)
      else counts.set(network, left)
    })
  })
}
