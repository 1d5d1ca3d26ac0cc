// Takes the WAL of a series as PostgreSQL flushes it, and writes it into the archive: at the latest after some seconds, and when
// there is much of it. PostgreSQL is told what is durable there, and removes nothing before.
import type pg from 'pg'
import { writeChunk } from './chunks.ts'
import type { Lsn } from './lsn.ts'
import { WalStream } from './replication.ts'
import type { Series } from './series.ts'

/** Milliseconds for which WAL is collected, so that an idle database does not fill the archive with small files. */
const COLLECT = 15_000
/** Milliseconds after which it is written for the first time, to see whether it can be. */
const FIRST = 1_000
/** Bytes from which it is written at once. */
const MUCH = 8 * 1024 * 1024
/** Milliseconds between signs of life, which also show that nothing new was flushed. */
const SIGN_OF_LIFE = 5_000

export type WalReceiver = {
  /** Rejects when the stream has ended, or the archive cannot be written. */
  ended: Promise<never>
  /** Writes what has come. */
  flush(): Promise<void>
  /** Resolves when the archive holds the WAL up to a position. */
  archived(position: Lsn): Promise<void>
  /** Resolves when nothing more is written. */
  stop(): Promise<void>
}

type From = { slot: string; position: Lsn; through: number }

/** WAL that has come and is not on its way to the archive. */
class Collected {
  #parts: Buffer[] = []
  length = 0
  through: number
  constructor(through: number) {
    this.through = through
  }
  add(bytes: Buffer, through: number | undefined): void {
    this.#parts.push(bytes)
    this.length += bytes.length
    this.through = through ?? this.through
  }
  take(): Buffer {
    const wal = Buffer.concat(this.#parts, this.length)
    this.#parts = []
    this.length = 0
    return wal
  }
}

/** Writes WAL in its order; `tell` hears what is written. */
class Writer {
  readonly #series: Series
  readonly #tell: (through: number) => void
  readonly #waiting = new Set<{ position: Lsn; resolve: () => void }>()
  #last: Promise<void> = Promise.resolve()
  #pending = 0
  written: Lsn

  constructor(series: Series, position: Lsn, tell: (through: number) => void) {
    this.#series = series
    this.#tell = tell
    this.written = position
  }
  get isIdle(): boolean {
    return this.#pending === 0
  }
  write(wal: Buffer, through: number): Promise<void> {
    this.#pending++
    this.#last = this.#last.then(async () => {
      await writeChunk(this.#series, this.written, wal, through)
      this.written += BigInt(wal.length)
      this.#pending--
      this.#tell(through)
      for (const { position, resolve } of this.#waiting) if (this.written >= position) resolve()
    })
    return this.#last
  }
  /** Resolves when all that was to be written is, or was given up. */
  settled = (): Promise<void> => this.#last.catch(() => undefined)

  async reached(position: Lsn, failed: Promise<never>): Promise<void> {
    if (this.written >= position) return
    const { promise, resolve } = Promise.withResolvers<void>()
    const entry = { position, resolve }
    this.#waiting.add(entry)
    await Promise.race([promise, failed]).finally(() => this.#waiting.delete(entry))
  }
}

/** Receives from a position on; `tell` hears up to which moment the archive holds all that was acknowledged. */
export function receiveWal(
  client: pg.Client,
  series: Series,
  from: From,
  tell: (through: number) => void,
): WalReceiver {
  const { slot, position, through } = from
  const { timeline } = series.manifest
  const failed = Promise.withResolvers<never>()
  failed.promise.catch(() => undefined)
  const collected = new Collected(through)
  const writer = new Writer(series, position, (moment) => {
    stream.acknowledge(writer.written)
    tell(moment)
  })
  const flush = () => {
    if (collected.length > 0) writer.write(collected.take(), collected.through).catch(failed.reject)
    return writer.settled()
  }
  const stream = new WalStream(
    { slot, position, timeline },
    {
      take: (bytes, moment) => {
        collected.add(bytes, moment)
        if (collected.length < MUCH) return
        stream.pause()
        void flush().then(() => stream.resume())
      },
      rest: (moment) => {
        if (collected.length === 0 && writer.isIdle) tell(moment)
      },
    },
  )
  client.query(stream)
  stream.ended.catch(failed.reject)
  // While the disk takes its time, WAL is collected until there is much of it, and then left with PostgreSQL.
  const flushIfIdle = () => (writer.isIdle ? flush() : undefined)
  const timers = [
    setTimeout(flushIfIdle, FIRST),
    setInterval(flushIfIdle, COLLECT),
    setInterval(() => stream.acknowledge(writer.written), SIGN_OF_LIFE),
  ]
  return {
    ended: failed.promise,
    flush,
    // Its last bytes may still be on their way; the next collection has them.
    archived: (end) => flush().then(() => writer.reached(end, failed.promise)),
    stop: () => {
      for (const timer of timers) clearInterval(timer)
      failed.reject(new Error('the archive was stopped'))
      return writer.settled()
    },
  }
}
