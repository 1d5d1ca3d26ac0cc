// What a desktop client sends to create a request.
import { z } from 'zod'
import { fileName, fileSize, lines, MAX_FILES, requestPurpose, sha256 } from './core/fields.ts'
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
