// The server's log on standard output: a line of JSON for each event, readable lines on a terminal. On a full disk,
// lines are lost and the server continues; pino's own destination would end the process.
import { writeSync } from 'node:fs'
import { isatty } from 'node:tty'
import { type DestinationStream, type Logger, pino } from 'pino'
import { codeOf } from './disk.ts'

const STANDARD_OUTPUT = 1
/** Waits for a slow reader, and milliseconds of each; then the line is lost. */
const TRIES = 20
const PAUSE = 10
/** Milliseconds after a lost line until the next attempt, and until a reader is waited for once more. */
const REST = 1_000
const IMPATIENCE = 60_000

const STALLED = 'EAGAIN'
const LOST = 'lines of this log were lost'

const sleep = () => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE)

function writeAll(file: number, text: string, tries: number): void {
  let rest: Uint8Array = Buffer.from(text)
  for (let tried = 0; rest.length > 0; )
    try {
      rest = rest.subarray(writeSync(file, rest))
    } catch (error) {
      if (codeOf(error) !== STALLED || ++tried >= tries) throw error
      sleep()
    }
}

/** Makes a line of JSON readable for a person. */
async function openFormat(): Promise<(line: string) => string> {
  const { prettyFactory } = await import('pino-pretty')
  return prettyFactory({ colorize: true, translateTime: 'SYS:HH:MM:ss', ignore: 'pid,hostname' })
}

function destination(file: number, format?: (line: string) => string): DestinationStream {
  let lost = 0
  let stalledAt = Number.NEGATIVE_INFINITY
  return {
    write(line) {
      const since = performance.now() - stalledAt
      // The main thread must not wait for a stalled reader.
      if (lost > 0 && since < REST) return void lost++
      const tries = since < IMPATIENCE ? 1 : TRIES
      try {
        // The previous line may have been cut.
        if (lost > 0) writeAll(file, `\n${JSON.stringify({ level: 40, time: Date.now(), lost, msg: LOST })}\n`, tries)
        lost = 0
        writeAll(file, format === undefined ? line : format(line), tries)
      } catch (error) {
        lost++
        if (codeOf(error) === STALLED) stalledAt = performance.now()
      }
    },
  }
}

export async function openLog(level: string, file = STANDARD_OUTPUT): Promise<Logger> {
  const format = isatty(file) ? await openFormat() : undefined
  return pino({ level, redact: ['req.headers.authorization', 'req.headers.cookie'] }, destination(file, format))
}
