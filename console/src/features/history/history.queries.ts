// What the history screen asks for beside its lists.
import { api } from '@acc/contract'
import type { Transfer } from '@acc/contract/enums'
import { useApiQuery } from '../../kit/api/query.ts'

/** One entry of the transfer history, by its number: whoever may read the list may read it. */
export const useTransfer = (type: Transfer, idx: number) =>
  // By its first digits: of all that begin alike it is the smallest.
  useApiQuery(api.history.fileEximport, { type, idx: String(idx), sort: 'idx', sortOrder: 0, rowsCount: 1 })
