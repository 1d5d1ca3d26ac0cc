import { api } from '@acc/contract'
import { STORED_LOGS, type StoredLog } from '@acc/contract/history/kinds'
import { routes } from '../../http/route.ts'
import { findHistoryEntry, searchEntries, searchSignIns, searchTransfers } from './history.service.ts'

type EntrySearches = { [N in StoredLog]: ReturnType<typeof searchEntries<N>> }

export default routes(api.history, {
  ...(Object.fromEntries(STORED_LOGS.map((log) => [log, searchEntries(log)])) as EntrySearches),
  find: findHistoryEntry,
  clientLogin: searchSignIns('clientLogin'),
  webLogin: searchSignIns('webLogin'),
  fileEximport: searchTransfers,
})
