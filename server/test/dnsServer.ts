// A DNS server on loopback that answers A and AAAA questions over UDP, and keeps them.
import { createSocket } from 'node:dgram'
import { once } from 'node:events'

const TYPES = { 1: 'A', 28: 'AAAA' } as const
export type Question = { name: string; type: string }
/** The addresses of a question, the code of a refusal (3: no such name), or undefined for silence. */
export type Answer = (question: Question) => Buffer[] | number | undefined

function questionOf(message: Buffer): Question & { end: number } {
  const labels: string[] = []
  let at = 12
  for (let length = message[at] ?? 0; length > 0; length = message[at] ?? 0) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  const type = message.readUInt16BE(at + 1)
  return { name: labels.join('.'), type: type in TYPES ? TYPES[type as 1 | 28] : String(type), end: at + 5 }
}

function recordOf(address: Buffer): Buffer {
  const record = Buffer.alloc(12)
  // The name is that of the question.
  record.writeUInt16BE(0xc00c, 0)
  record.writeUInt16BE(address.length === 4 ? 1 : 28, 2)
  record.writeUInt16BE(1, 4)
  record.writeUInt32BE(60, 6)
  record.writeUInt16BE(address.length, 10)
  return Buffer.concat([record, address])
}

function responseTo(message: Buffer, end: number, answer: Buffer[] | number): Buffer {
  const head = Buffer.alloc(12)
  message.copy(head, 0, 0, 2)
  head.writeUInt16BE(0x8180 | (typeof answer === 'number' ? answer : 0), 2)
  head.writeUInt16BE(1, 4)
  const records = typeof answer === 'number' ? [] : answer.map(recordOf)
  head.writeUInt16BE(records.length, 6)
  return Buffer.concat([head, message.subarray(12, end), ...records])
}

export const ipv4 = (...parts: number[]): Buffer => Buffer.from(parts)
export const ipv6 = (last: number): Buffer =>
  Buffer.concat([Buffer.from('20010db8', 'hex'), Buffer.alloc(11), ipv4(last)])

export type DnsServer = { address: string; questions: Question[]; stop(): Promise<void> }

/** Starts a DNS server, on a free port unless one is given. `questions` holds the questions so far. */
export async function startDnsServer(
  answerTo: Answer,
  { port, host } = { port: 0, host: '127.0.0.1' },
): Promise<DnsServer> {
  const socket = createSocket('udp4')
  const questions: Question[] = []
  socket.on('message', (message, from) => {
    const { end, ...question } = questionOf(message)
    questions.push(question)
    const answer = answerTo(question)
    if (answer !== undefined) socket.send(responseTo(message, end, answer), from.port, from.address)
  })
  socket.bind(port, host)
  await once(socket, 'listening')
  const stop = () => new Promise<void>((resolve) => socket.close(() => resolve()))
  return { address: `${host}:${socket.address().port}`, questions, stop }
}
