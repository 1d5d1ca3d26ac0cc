// The settings of an outside database: its addresses for the server, for the owner of its schema, and of a standby.
import { z } from 'zod'

/** `options` in the address would replace those of the pools: time limits, and that reads are read-only. */
const FORM = 'an address as postgres://user:password@host:port/database, without `options`'
const address = z
  .url({ protocol: /^postgres(ql)?$/, abort: true, error: FORM })
  .refine((text) => !new URL(text).searchParams.has('options'), FORM)
  .optional()

export const DATABASE_VARIABLES = {
  ACC_DATABASE_URL: address,
  ACC_DATABASE_OWNER_URL: address,
  ACC_DATABASE_REPLICA_URL: address,
}
