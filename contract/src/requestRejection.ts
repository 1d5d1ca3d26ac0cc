// The rejection of several requests at once, an addition to the specification (S2 §4). There is no such approval:
// nobody approves what they have not read.
import { z } from 'zod'
import { approvalPurpose, idx } from './core/fields.ts'
import { isBlank } from './core/hidden.ts'

/** Maximum number of requests in one call. */
export const MAX_REJECTED = 100

export const Rejection = z.object({
  requests: z
    .array(z.object({ idx, step: z.int().min(1).max(3) }))
    .min(1)
    .max(MAX_REJECTED)
    .refine((requests) => new Set(requests.map((one) => one.idx)).size === requests.length, 'duplicate'),
  purpose: approvalPurpose.min(1).refine((text) => !isBlank(text), 'blank'),
})
export type Rejection = z.output<typeof Rejection>

export const Rejected = z.object({
  /** How many requests were rejected. */
  rejected: z.int(),
  /** Those that the caller can no longer decide: decided, canceled, or at another step by now. */
  skipped: z.array(idx),
})
