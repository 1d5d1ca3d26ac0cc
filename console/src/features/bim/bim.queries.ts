// Reads of the BIM settings.
import { api } from '@acc/contract'
import { useApiQuery } from '../../kit/api/query.ts'

export const useServers = () => useApiQuery(api.bim.servers, {})
export const useExceptions = () => useApiQuery(api.bim.exceptions, {})
export const useTargetGroups = () => useApiQuery(api.bim.groups, {})
export const useTargetUsers = () => useApiQuery(api.bim.users, {})
export const useConnections = () => useApiQuery(api.bim.connections, {})
