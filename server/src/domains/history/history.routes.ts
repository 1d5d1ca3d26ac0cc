import { api } from '@acc/contract'
import { LOG_NAMES, type LogName, STORED_LOGS, type StoredLog } from '@acc/contract/history/kinds'
import { routes } from '../../http/route.ts'
import { countRows } from './history.counts.ts'
import { findHistoryEntry, searchEntries, searchSignIns, searchTransfers } from './history.service.ts'

type EntrySearches = { [N in StoredLog]: ReturnType<typeof searchEntries<N>> }
type AllCounts = Record<`${LogName}Counts`, ReturnType<typeof countRows>>

export default routes(api.history, {
  ...(Object.fromEntries(STORED_LOGS.map((log) => [log, searchEntries(log)])) as EntrySearches),
  ...(Object.fromEntries(LOG_NAMES.map((log) => [`${log}Counts`, countRows(log)])) as AllCounts),
  find: findHistoryEntry,
  clientLogin: searchSignIns('clientLogin'),
  webLogin: searchSignIns('webLogin'),
  fileEximport: searchTransfers,
})
