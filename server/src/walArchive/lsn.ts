// Positions in the WAL, which PostgreSQL writes as two hexadecimal numbers: 0/3000148.

export type Lsn = bigint

/** Bytes of a segment of the WAL (initdb's own choice). */
export const SEGMENT_SIZE = 16 * 1024 * 1024

export function parseLsn(text: string): Lsn {
  const [high = '0', low = '0'] = text.split('/')
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`)
}

const hex = (value: bigint) => value.toString(16).toUpperCase()
export const lsnText = (lsn: Lsn): string => `${hex(lsn >> 32n)}/${hex(lsn & 0xffff_ffffn)}`

/** The beginning of the segment that holds the position. */
export const segmentStart = (lsn: Lsn): Lsn => lsn - (lsn % BigInt(SEGMENT_SIZE))

/** The name of the segment that holds the position. */
export function segmentName(timeline: number, lsn: Lsn): string {
  const number = lsn / BigInt(SEGMENT_SIZE)
  const perHigh = 0x1_0000_0000n / BigInt(SEGMENT_SIZE)
  const parts = [BigInt(timeline), number / perHigh, number % perHigh]
  return parts.map((part) => hex(part).padStart(8, '0')).join('')
}
