// PostgreSQL's replication protocol (PostgreSQL 18 manual, section 54.4): the WAL as it is flushed, and base backups, without
// pg_receivewal and pg_basebackup, which the embedded PostgreSQL does not have.
import { Readable } from 'node:stream'
import pg from 'pg'
import type { EmbeddedDatabase } from '../db/embedded/embedded.ts'
import { REPLICATION_USER } from '../db/embedded/process.ts'
import { type Lsn, lsnText, parseLsn } from './lsn.ts'

export type Address = Pick<EmbeddedDatabase['connection'], 'host' | 'port'>

/** Opens a connection that takes replication commands and no SQL. */
export async function openReplication({ host, port }: Address): Promise<pg.Client> {
  const options = { host, port, user: REPLICATION_USER, replication: 'true', application_name: 'acc WAL archive' }
  const client = new pg.Client(options)
  // A lost connection fails the command that runs; without a listener it would also end the process.
  client.on('error', () => undefined)
  await client.connect()
  reuseBuffers(client)
  return client
}

/** Bytes of a message before its content: its kind, and its length without that. */
const HEAD = 5
const FIRST_LENGTH = 256 * 1024
/**
 * Has the connection's bytes gathered in one buffer, message by message, and frees those that they come in. Left to V8, tens of
 * megabytes of them gather while a base backup passes, and what is freed late stays scattered in the process's memory.
 */
function reuseBuffers({ connection: { stream } }: pg.Client): void {
  const parsers = stream.listeners('data')
  stream.removeAllListeners('data')
  let kept = Buffer.allocUnsafeSlow(FIRST_LENGTH)
  let filled = 0
  stream.on('data', (chunk: Buffer) => {
    if (filled + chunk.length > kept.length)
      kept = Buffer.concat([kept.subarray(0, filled)], 2 * (filled + chunk.length))
    chunk.copy(kept, filled)
    filled += chunk.length
    let end = 0
    while (end + HEAD <= filled) {
      const next = end + 1 + kept.readUInt32BE(end + 1)
      if (next > filled) break
      end = next
    }
    // The parser keeps nothing of messages that are complete.
    if (end > 0) for (const parse of parsers) Reflect.apply(parse, stream, [kept.subarray(0, end)])
    kept.copyWithin(0, end, filled)
    filled -= end
  })
}

/** Ends a connection whatever it is doing. */
export function cutOff(client: pg.Client): void {
  client.end().catch(() => undefined)
  client.connection.stream.destroy()
}

export type System = { systemId: string; timeline: number; flushed: Lsn }

export async function identifySystem(client: pg.Client): Promise<System> {
  const { rows } = await client.query<{ systemid: string; timeline: number; xlogpos: string }>('IDENTIFY_SYSTEM')
  const [row] = rows
  if (row === undefined) throw new Error('PostgreSQL did not identify itself')
  return { systemId: row.systemid, timeline: Number(row.timeline), flushed: parseLsn(row.xlogpos) }
}

/** Makes PostgreSQL keep its WAL from now on, until it was taken. */
export const createSlot = (client: pg.Client, slot: string) =>
  client.query(`CREATE_REPLICATION_SLOT ${slot} PHYSICAL (RESERVE_WAL true)`)

export const dropSlot = (client: pg.Client, slot: string) => client.query(`DROP_REPLICATION_SLOT ${slot} WAIT`)

type CopyData = { chunk: Buffer }
type Row = { fields: (string | null)[] }

/** First bytes of the messages within a copy. */
const [DATA, ARCHIVE, WAL, KEEPALIVE, STATUS] = [0x64, 0x6e, 0x77, 0x6b, 0x72]

/** A base backup as the one tar file that it consists of; `end` is known when it has ended. */
export class BaseBackup extends Readable implements pg.Submittable {
  readonly #rows: Row[] = []
  #archives = 0
  #connection: pg.Connection | undefined

  submit(connection: pg.Connection): void {
    this.#connection = connection
    connection.query(`BASE_BACKUP (LABEL 'acc', CHECKPOINT 'fast', WAIT false, MANIFEST 'no')`)
  }
  override _read(): void {
    this.#connection?.stream.resume()
  }
  handleRowDescription(): void {}
  handleCommandComplete(): void {}
  handleDataRow(row: Row): void {
    this.#rows.push(row)
  }
  handleCopyData({ chunk }: CopyData): void {
    if (chunk[0] === ARCHIVE && ++this.#archives > 1) this.destroy(new Error('the database has tablespaces'))
    if (chunk[0] !== DATA) return
    // The bytes lie in a buffer of the connection, which is used again.
    const bytes = Buffer.allocUnsafeSlow(chunk.length - 1)
    chunk.copy(bytes, 0, 1)
    if (!this.push(bytes)) this.#connection?.stream.pause()
  }
  handleError(error: Error): void {
    this.destroy(error)
  }
  handleReadyForQuery(): void {
    this.push(null)
  }

  /** From where to where the WAL is needed to use it. */
  get range(): { start: Lsn; end: Lsn } {
    const positions = [this.#rows[0], this.#rows.at(-1)].map((row) => parseLsn(row?.fields[0] ?? ''))
    const [start = 0n, end = 0n] = positions
    return { start, end }
  }
}

/** Milliseconds from 1970 to 2000, from which PostgreSQL counts microseconds. */
const EPOCH = Date.UTC(2000, 0)
const momentAt = (chunk: Buffer, at: number) => Number(chunk.readBigInt64BE(at) / 1000n) + EPOCH

type Receiver = {
  /** Takes WAL; `through` is the moment up to which it holds all that was flushed, where it does. */
  take(bytes: Buffer, through: number | undefined): void
  /** Nothing was flushed since what was taken last. */
  rest(through: number): void
}

/** The WAL from a position on, until the connection ends. */
export class WalStream implements pg.Submittable {
  readonly ended: Promise<never>
  readonly #receiver: Receiver
  readonly #command: string
  readonly #end: (error: Error) => void
  #connection: pg.Connection | undefined
  #position: Lsn
  #isCurrent = true
  /** PostgreSQL's moment of the last message. */
  #heard: number | undefined

  constructor(from: { slot: string; position: Lsn; timeline: number }, receiver: Receiver) {
    this.#command = `START_REPLICATION SLOT ${from.slot} PHYSICAL ${lsnText(from.position)} TIMELINE ${from.timeline}`
    this.#position = from.position
    this.#receiver = receiver
    const { promise, reject } = Promise.withResolvers<never>()
    promise.catch(() => undefined)
    this.ended = promise
    this.#end = reject
  }

  submit(connection: pg.Connection): void {
    this.#connection = connection
    connection.query(this.#command)
  }
  handleRowDescription(): void {}
  handleDataRow(): void {}
  handleCommandComplete(): void {}
  handleReadyForQuery(): void {
    this.#end(new Error('PostgreSQL ended the stream of its WAL'))
  }
  handleError(error: Error): void {
    this.#end(error)
  }
  handleCopyData({ chunk }: CopyData): void {
    // PostgreSQL looks how far it has flushed, and then at its clock: what was flushed by the moment of a message may be missing
    // from it. What was flushed by the moment of the one before is there.
    const before = this.#heard
    if (chunk[0] === WAL) {
      this.#heard = momentAt(chunk, 17)
      this.#take(chunk, before)
    } else if (chunk[0] === KEEPALIVE) {
      this.#heard = momentAt(chunk, 9)
      if (this.#isCurrent && before !== undefined) this.#receiver.rest(before)
    }
  }
  #take(chunk: Buffer, before: number | undefined): void {
    const bytes = Buffer.from(chunk.subarray(25))
    const start = chunk.readBigInt64BE(1)
    if (start !== this.#position) {
      this.#end(new Error(`the WAL goes on at ${lsnText(start)}`))
      return
    }
    this.#position = start + BigInt(bytes.length)
    this.#isCurrent = chunk.readBigInt64BE(9) === this.#position
    this.#receiver.take(bytes, this.#isCurrent ? before : undefined)
  }

  /** Tells PostgreSQL up to where the WAL is durable, and asks it for a sign of life. */
  acknowledge(position: Lsn): void {
    const message = Buffer.alloc(39)
    message.write('d')
    message.writeInt32BE(38, 1)
    message[5] = STATUS
    for (const at of [6, 14, 22]) message.writeBigInt64BE(position, at)
    message.writeBigInt64BE(BigInt(Date.now() - EPOCH) * 1000n, 30)
    message[38] = 1
    this.#connection?.stream.write(message)
  }
  pause(): void {
    this.#connection?.stream.pause()
  }
  resume(): void {
    this.#connection?.stream.resume()
  }
}
