// IPv4 addresses, ranges and subnet masks as numbers (spec S1 §5).

const OCTETS = /^(0|[1-9]\d{0,2})\.(0|[1-9]\d{0,2})\.(0|[1-9]\d{0,2})\.(0|[1-9]\d{0,2})$/
const ALL_ONES = 0xffff_ffff

/**
 * Returns an address of four parts from 0 to 255 as a number, otherwise undefined. Leading zeros are rejected: some
 * systems read them as octal numbers, so that `010.0.0.1` means different hosts.
 */
export function ipNumber(text: string): number | undefined {
  const octets = OCTETS.exec(text)?.slice(1).map(Number)
  if (octets === undefined || octets.some((octet) => octet > 255)) return undefined
  return octets.reduce((number, octet) => number * 256 + octet, 0)
}

/** Whether the bits are ones followed by zeros only. */
const isMask = (bits: number): boolean => {
  const hosts = ALL_ONES - bits
  return Number.isInteger(Math.log2(hosts + 1))
}

/** Returns a subnet mask as a number; undefined unless it consists of ones followed by zeros. */
export function maskNumber(text: string): number | undefined {
  const bits = ipNumber(text)
  return bits !== undefined && isMask(bits) ? bits : undefined
}

export type IpRange = { first: number; last: number }

/** Returns the addresses of a subnet. */
export function subnetRange(ip: number, mask: number): IpRange {
  const hosts = ALL_ONES - mask
  const first = ip - (ip % (hosts + 1))
  return { first, last: first + hosts }
}
