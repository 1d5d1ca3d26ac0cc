// The query of the list of requests (spec S2 §7).
import { z } from 'zod'
import { chosenGroups } from './core/chosenGroups.ts'
import { queryOf } from './core/columns.ts'
import { anyMoment, flag, searchText } from './core/fields.ts'
import { filterType } from './core/paging.ts'
import { Transfer } from './labels/requests.ts'
import { FILE_EXIMPORT_COLUMNS } from './requestColumns.ts'

export const transfer = z.literal(Transfer.values)
export const approvalState = FILE_EXIMPORT_COLUMNS.state.schema

/** `idx`: first digits. With filterType 0, `idx`, `requesterId` and `requesterName` hold one text; any may match. */
export const FileEximportFilter = queryOf(FILE_EXIMPORT_COLUMNS).extend({
  type: transfer,
  filterType,
  /** Another spelling of `requesterId` in the specification. */
  requesterID: searchText.optional(),
  state: approvalState.optional(),
  /** With state 0: 1 finds requests that wait for a decision, 0 those that wait for their files. */
  isFileUploaded: flag.optional(),
  /** 1: only requests of others that wait for a decision of the caller: in groups with level 2, or at their step. */
  isDecidable: flag.default(0),
  /** 1: only urgent exports that nobody has reviewed; with `isDecidable`, those that the caller may review. */
  isToReview: flag.default(0),
  /** 1: only requests that wait, or are to be reviewed, and that no enabled person can decide. */
  isUndecidable: flag.default(0),
  /** 1: overdue requests come first, each part in the order of `sort`. */
  overdueFirst: flag.default(0),
  /** Inclusive start and exclusive end. */
  requestSDT: anyMoment.optional(),
  requestEDT: anyMoment.optional(),
  groupIdxes: chosenGroups.describe('Of requesters in these groups and their subgroups'),
})
export type FileEximportFilter = z.output<typeof FileEximportFilter>
