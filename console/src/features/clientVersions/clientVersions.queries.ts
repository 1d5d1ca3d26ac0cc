// Queries of the client management screen.
import { api } from '@acc/contract'
import { useApiQuery } from '../../kit/api/query.ts'

export const useDeployed = () => useApiQuery(api.clientVersions.findDeployed, {})
