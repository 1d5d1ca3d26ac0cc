// Inputs about requests: what a desktop client sends to create one, and the rejection of several at once.
import { z } from 'zod'
import { approvalPurpose, fileName, fileSize, idx, lines, MAX_FILES, requestPurpose, sha256 } from './core/fields.ts'
import { isBlank } from './core/hidden.ts'
import { Transfer } from './labels/requests.ts'
import { transfer } from './requestFilter.ts'

/** Lengths of the reason for an urgent export. */
export const URGENT_REASON = { min: 20, max: 200 } as const
export const urgentReason = lines(URGENT_REASON.max)
  .min(URGENT_REASON.min)
  .refine((text) => !isBlank(text), 'blank')

export const NewRequest = z
  .object({
    type: transfer,
    purpose: requestPurpose,
    /** Why an export cannot wait for an approver: it is allowed at once and reviewed afterwards. */
    urgentReason: urgentReason.optional(),
    files: z
      .array(z.object({ name: fileName, size: fileSize, sha256 }))
      .min(1)
      .max(MAX_FILES),
  })
  .refine((request) => request.type === Transfer.EXPORT || request.urgentReason === undefined, {
    path: ['urgentReason'],
    error: 'import',
  })
export type NewRequest = z.output<typeof NewRequest>

/** Maximum number of requests in one call. There is no such approval: nobody approves what they have not read. */
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
