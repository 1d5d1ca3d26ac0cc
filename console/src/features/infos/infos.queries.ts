import { api } from '@acc/contract'
import { useApiQuery } from '../../kit/api/query.ts'

export const useInfos = () => useApiQuery(api.infos.get, {})
