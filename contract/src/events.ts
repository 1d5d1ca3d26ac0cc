// Live changes for open screens as server-sent events: what changed, never the data itself.
import { z } from 'zod'
import { Empty, idx } from './core/fields.ts'
import { defineRoutes, eventStream } from './core/route.ts'
import { TOPICS } from './core/topics.ts'

/** A change that the receiver may see; the console then refetches. */
export const LiveEvent = z.object({
  topic: z.enum(TOPICS),
  /** The row, if the change is about one. */
  idx: idx.nullable(),
  groupIdx: idx.nullable(),
})
export type LiveEvent = z.output<typeof LiveEvent>

export const events = defineRoutes({
  /** Streams the changes that the caller may see, as server-sent events. */
  stream: eventStream('/Events', {
    input: Empty,
    data: LiveEvent,
    access: 'session',
    errors: [],
    shows: [],
    slides: false,
    assumed: true,
  }),
})
