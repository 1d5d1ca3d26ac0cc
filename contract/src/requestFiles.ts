// Files of a request as approvers and requesters see them, and why one is not shown or handed out.
import { z } from 'zod'
import { flag, idx } from './core/fields.ts'
import { FileKind } from './labels/fileKind.ts'

export const RequestFile = z.object({ idx, fileName: z.string(), fileSize: z.int(), sha256: z.string() })

/** `downloads`: how often the requester downloaded it. */
export const CountedFile = RequestFile.extend({ downloads: z.int() })

/**
 * Maximum number of files in one list response. Later rows have an empty `files` although their `fileCount` is above 0;
 * a list of such a row alone contains them.
 */
export const MAX_LISTED_FILES = 5000

/** Why a file has no preview. `size`, `pixels`: above the limits; `kind`: nothing shows files of its kind. */
export const NoPreview = z.object({ reason: z.literal(['kind', 'size', 'pixels']), kind: z.literal(FileKind.values) })
export type NoPreview = z.output<typeof NoPreview>

/** Which limit of the policy refuses a download: each file's number of times, or the days after the release. */
export const DownloadRefusal = z.object({ reason: z.literal(['count', 'days']) })
export type DownloadRefusal = z.output<typeof DownloadRefusal>

/** A file of one's own request. */
export const OwnFile = CountedFile.extend({
  /** Bytes that the server holds: the offset at which an interrupted upload continues. */
  received: z.int(),
  isUploaded: flag,
})
