// Bytes of a file that may be damaged or hostile: each piece is bounded by the file and by a limit.

/** `program`: not a Windows program; `truncated`: a part is missing; `version`: it states no version. */
type ExecutableFault = 'program' | 'truncated' | 'version'

/** A file that is no program of the client, or one whose version cannot be read. */
export class InvalidExecutable extends Error {
  override readonly name = 'InvalidExecutable'
  readonly fault: ExecutableFault
  constructor(fault: ExecutableFault) {
    super(fault)
    this.fault = fault
  }
}

export type ReadAt = (position: number, length: number) => Promise<Buffer>

/** A part of the file and its place in memory. */
export type Section = { address: number; length: number; position: number; stored: number }

/** Opens a reader that returns complete pieces or throws. Lengths have 16 bits, or are of limited counts. */
export const readerOf =
  (readAt: ReadAt, size: number): ReadAt =>
  async (position, length) => {
    if (position + length > size) throw new InvalidExecutable('truncated')
    return readAt(position, length)
  }
