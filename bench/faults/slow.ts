// Clients that send and read a byte at a time, and a network that breaks connections off.
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import type { Drill } from '../ha/drill.ts'
import { demand, lossOf, since } from '../ha/judge.ts'
import { residentMiB } from '../src/processes.ts'
import type { Part, Subject } from './main.ts'
import { meanwhile } from './meanwhile.ts'

const CLIENTS = 300
const LASTS = 30_000
/** MiB that they may take, all together. */
const GROWTH = 64

/** Sends a request, a byte a second. */
function drip(socket: Socket, text: string): void {
  let sent = 0
  const timer = setInterval(() => socket.write(text.charAt(sent++ % text.length)), 1000)
  socket.once('close', () => clearInterval(timer))
}

type Client = (socket: Socket) => void
const SLOW: Record<string, Client> = {
  'send a byte of a head a second': (socket) => drip(socket, 'GET /Configs HTTP/1.1\r\nx-'),
  'send a byte of a body a second': (socket) => {
    const head = ['POST /Account/Login HTTP/1.1', 'host: 127.0.0.1', 'x-requested-with: XMLHttpRequest']
    socket.write(`${[...head, 'content-type: application/json', 'content-length: 1000'].join('\r\n')}\r\n\r\n`)
    drip(socket, ' ')
  },
  'ask twenty times at once and read nothing': (socket) => {
    socket.pause()
    socket.write('GET /Docs/openapi.json HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n'.repeat(20))
  },
}

export async function drillSlow({ drill, node, load }: Subject, times: number): Promise<void> {
  const { port } = new URL(node.url)
  const open = new Set<Socket>()
  drill.atEnd(async () => {
    for (const socket of open) socket.destroy()
  })
  for (let at = 0; at < times; at++)
    for (const [name, behave] of Object.entries(SLOW)) {
      await wait(2_000)
      const before = residentMiB(node.running.pid)
      for (let made = 0; made < CLIENTS; made++) {
        const socket = connect(Number(port), '127.0.0.1')
        open.add(socket)
        socket.on('error', () => socket.destroy()).once('close', () => open.delete(socket))
        behave(socket)
      }
      await meanwhile(load, `${CLIENTS} clients ${name}`, LASTS)
      const growth = residentMiB(node.running.pid) - before
      demand(
        growth <= GROWTH,
        `they take ${growth.toFixed(0)} MiB (wanted <= ${GROWTH}); ${open.size} are still connected`,
      )
      for (const socket of open) socket.destroy()
    }
}

/** Milliseconds that the network takes for each part, and the share of parts with which it breaks a connection off. */
const DELAY = 50
const BREAKS = 0.02
const LOSSY = 60_000

/** The load goes through a network that is slow and breaks off; what it acknowledged must be there all the same. */
export function openLossy(drill: Drill): Part {
  let broken = 0
  const carry = (from: Socket, to: Socket) => {
    from.on('error', () => from.destroy()).once('close', () => to.destroy())
    from.on('data', (part) => {
      setTimeout(() => to.write(part), DELAY)
      if (Math.random() >= BREAKS) return
      broken++
      from.destroy()
    })
  }
  return {
    openWay: async (url) => {
      const { hostname, port } = new URL(url)
      const network = createServer((client) => {
        const server = connect(Number(port), hostname)
        carry(client, server)
        carry(server, client)
      }).listen(0, '127.0.0.1')
      await once(network, 'listening')
      drill.atEnd(async () => void network.close())
      return `http://127.0.0.1:${(network.address() as AddressInfo).port}`
    },
    run: async ({ load }, times) => {
      const from = performance.now()
      await wait(LOSSY * times)
      const calls = since(load.calls, from)
      const { count } = lossOf(calls)
      demand(
        broken > 0 && count < calls.length / 4,
        `${broken} connections broken off: ${count} of ${calls.length} calls lost`,
      )
    },
  }
}
