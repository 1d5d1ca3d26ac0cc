// Live changes for open screens, as server-sent events: what changed, never the data itself (design, section 9).
import { z } from 'zod'
import { idx } from './core/fields.ts'
import { defineRoutes, get } from './core/route.ts'
import { TOPICS } from './core/topics.ts'

/** One change that the receiver may see. The screen then asks for the rows again. */
export const LiveEvent = z.object({
  topic: z.enum(TOPICS),
  /** The row, where there is one. */
  idx: idx.nullable(),
  groupIdx: idx.nullable(),
})
export type LiveEvent = z.output<typeof LiveEvent>

const stream = get('/Events', {
  input: z.object({}),
  data: LiveEvent,
  access: 'session',
  errors: [],
  shows: [],
  slides: false,
  assumed: true,
})

export const events = defineRoutes({ stream: { ...stream, kind: 'events' } })
