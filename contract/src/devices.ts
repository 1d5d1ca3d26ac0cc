// The PCs that people have registered with the desktop client (spec S1 §3).
import { z } from 'zod'
import { idx, moment } from './core/fields.ts'

/** A registered PC: it uses one license. */
export const Device = z.object({
  idx,
  deviceName: z.string(),
  ip: z.string(),
  clientVersion: z.string(),
  useDT: moment,
})
