import { api } from '@acc/contract'
import { useApiQuery } from '../../kit/api/query.ts'

export const useSystemStatus = () => useApiQuery(api.systemStatus.get, {}, { every: 15_000 })
