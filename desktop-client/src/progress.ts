// The progress of a file: one line on standard error that is redrawn. Prints nothing without a terminal or with --json.
import { formatBytes } from '@acc/contract/labels/formats'
import { displayWidth, fit, plain } from './output.ts'

export type Progress = {
  /** Starts a file of which `done` bytes are already transferred. */
  start(name: string, done?: number): void
  /** Sets the number of bytes transferred so far. */
  reach(done: number, total: number): void
  /** Removes the line. */
  end(): void
}
type Terminal = { write(text: string): unknown; columns?: number }
type Bytes = { done: number; total: number }
type ProgressLine = { name: string; from: number; since: number }

/** Milliseconds between two redraws. */
const REDRAW_MS = 100
const ERASE = '\r\u001b[K'

export function openProgress(terminal: Terminal, isShown: boolean, now = () => performance.now()): Progress {
  if (!isShown) return { start: () => undefined, reach: () => undefined, end: () => undefined }
  let shown: ProgressLine | undefined
  let drawnAt = -REDRAW_MS
  return {
    start(name, done = 0) {
      shown = { name: plain(name), from: done, since: now() }
      drawnAt = -REDRAW_MS
    },
    reach(done, total) {
      const at = now()
      if (shown === undefined || at - drawnAt < REDRAW_MS) return
      drawnAt = at
      terminal.write(ERASE + progressLine(shown, { done, total }, at, (terminal.columns || 80) - 1))
    },
    end() {
      if (shown !== undefined) terminal.write(ERASE)
      shown = undefined
    },
  }
}

/** `report.pdf  12.00 MB / 30.00 MB  40%  8.00 MB/s`, cut to the terminal's width. */
export function progressLine(
  { name, from, since }: ProgressLine,
  { done, total }: Bytes,
  now: number,
  width: number,
): string {
  const percent = total === 0 ? 100 : Math.floor((done / total) * 100)
  const seconds = (now - since) / 1000
  const rate = seconds > 0 ? `  ${formatBytes((done - from) / seconds)}/s` : ''
  const figures = `  ${formatBytes(done)} / ${formatBytes(total)}  ${percent}%${rate}`
  return fit(fit(name, Math.max(8, width - displayWidth(figures))) + figures, width)
}
