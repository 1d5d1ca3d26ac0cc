// Looking up the addresses of a domain (spec S1 §7).
import { z } from 'zod'
import { flag, line } from './core/fields.ts'

/** Addresses of one family at most in an answer. */
export const MAX_ADDRESSES = 32

const LABEL = '[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?'
// At least two labels, the last one not a number: neither a name of the local network alone, nor an address.
const FQDN = new RegExp(`^(?:${LABEL}\\.)+(?!\\d+$)${LABEL}$`)

export const NsQuestion = z.object({ domain: line(253).toLowerCase().regex(FQDN) })
export const NsAnswer = z.object({
  /** Addresses in the A records. */
  ipv4: z.array(z.string()),
  /** Addresses in the AAAA records. */
  ipv6: z.array(z.string()),
  /** 0: no DNS server answered in time. */
  isAnswered: flag,
  /** 1: there are more addresses. */
  isCut: flag,
})
export type NsAnswer = z.output<typeof NsAnswer>
