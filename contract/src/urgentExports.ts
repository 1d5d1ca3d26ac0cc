// The review of urgent exports: these are allowed at once, and an approver confirms them or objects within some hours.
// An addition to the specification (docs/decisions/32-urgentExports.md).
import { z } from 'zod'
import { page } from './core/access.ts'
import { approvalPurpose, Empty, idx } from './core/fields.ts'
import { isBlank } from './core/hidden.ts'
import { defineRoutes, post } from './core/route.ts'
import { Level } from './labels/access.ts'
import { Review } from './labels/requests.ts'
import { TRANSFER_KINDS } from './requests.ts'

/** Urgent exports of one person that nobody has reviewed, at most. */
export const MAX_UNREVIEWED = 3
/** Urgent exports confirmed by one call at most. */
export const MAX_CONFIRMED = 20

/** Why an urgent export is refused: too many `open` reviews of the person's exports, or one that is `overdue`. */
export const UrgentRefusal = z.object({ reason: z.literal(['open', 'overdue']) })
export type UrgentRefusal = z.output<typeof UrgentRefusal>

const reviewer = page('fileExportApprove', Level.EDIT)

export const urgentExports = defineRoutes({
  /** Confirms an urgent export or objects to it. An objection has a reason and closes the files. */
  review: post('/FileEximport/Review', {
    input: z
      .object({ idx, decision: z.literal(Review.values), purpose: approvalPurpose.default('') })
      .refine(({ decision, purpose }) => decision === Review.CONFIRM || !isBlank(purpose), {
        path: ['purpose'],
        error: 'blank',
      }),
    data: Empty,
    access: reviewer,
    errors: ['REQUEST_STATE'],
    changes: ['requests', 'mails'],
    audit: TRANSFER_KINDS,
    assumed: true,
  }),
  /** Confirms urgent exports of one person. Returns those that were not to be reviewed any more as `skipped`. */
  confirm: post('/FileEximports/Confirmation', {
    input: z.object({
      idxes: z
        .array(idx)
        .min(1)
        .max(MAX_CONFIRMED)
        .refine((list) => new Set(list).size === list.length, 'duplicate'),
      purpose: approvalPurpose.default(''),
    }),
    data: z.object({ confirmed: z.array(idx), skipped: z.array(idx) }),
    access: reviewer,
    errors: [],
    changes: ['requests'],
    audit: TRANSFER_KINDS,
    assumed: true,
  }),
})
