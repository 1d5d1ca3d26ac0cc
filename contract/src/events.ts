// Live changes for open screens as server-sent events: what changed, never the data itself.
import { z } from 'zod'
import { Empty, idx } from './core/fields.ts'
import { defineRoutes, get } from './core/route.ts'
import { TOPICS } from './core/topics.ts'

/** A change that the receiver may see; the console then refetches. */
export const LiveEvent = z.object({
  topic: z.enum(TOPICS),
  /** The row, if the change is about one. */
  idx: idx.nullable(),
  groupIdx: idx.nullable(),
})
export type LiveEvent = z.output<typeof LiveEvent>

const stream = get('/Events', {
  input: Empty,
  data: LiveEvent,
  access: 'session',
  errors: [],
  shows: [],
  slides: false,
  assumed: true,
})

export const events = defineRoutes({ stream: { ...stream, kind: 'events' } })
