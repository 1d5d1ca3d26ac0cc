// Reads of the BIM settings.
import { api } from '@acc/contract'
import { useApiQuery } from '../../kit/api/query.ts'

const checkAfter = (data: { checkAfter: number | null }) => data.checkAfter

/** Looks again when a server may have fallen silent. */
export const useServers = () => useApiQuery(api.bim.servers, {}, { checkAfter })
export const useExceptions = () => useApiQuery(api.bim.exceptions, {})
export const useTargetGroups = () => useApiQuery(api.bim.groups, {})
export const useTargetUsers = () => useApiQuery(api.bim.users, {})
export const useConnections = () => useApiQuery(api.bim.connections, {}, { checkAfter })
