// The events and the approval steps of a file request. The approvers of the requester's group decide step 1, the
// members of an authority that the policy names decide later ones.
import { z } from 'zod'
import { moment } from './core/fields.ts'
import { RequestEvent } from './labels/requests.ts'

/** An event of a request: created, complete, decided, canceled. */
export const RequestStep = z.object({
  type: z.literal(RequestEvent.values),
  logDT: moment,
  actorName: z.string(),
  /** The approval step that was decided; null for other events and for requests of one step. */
  step: z.int().nullable(),
  /** The absent person whose substitute decided. */
  forName: z.string().nullable(),
  /** Of an approved step that was not the last one. */
  reason: z.string().nullable(),
})

/** Maximum number of people that a request names as able to decide it. */
export const MAX_DECIDERS = 20
/** Who can decide the present step of a request: the first ones by name, and how many they are. */
export const Deciders = z.object({
  count: z.int(),
  /** `forName`: the absent person whose right this one uses. */
  people: z.array(z.object({ name: z.string(), forName: z.string().nullable() })),
})
export type Deciders = z.output<typeof Deciders>

/** The later steps of a request, with the names that the authorities had when it began to wait. */
export const LaterSteps = z.array(z.object({ step: z.int(), authorityName: z.string() }))
