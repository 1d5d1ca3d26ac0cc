// What a desktop client sends to create a request.
import { z } from 'zod'
import { fileName, fileSize, MAX_FILES, requestPurpose, sha256 } from './core/fields.ts'
import { transfer } from './requestFilter.ts'

export const NewRequest = z.object({
  type: transfer,
  purpose: requestPurpose,
  files: z
    .array(z.object({ name: fileName, size: fileSize, sha256 }))
    .min(1)
    .max(MAX_FILES),
})
export type NewRequest = z.output<typeof NewRequest>
