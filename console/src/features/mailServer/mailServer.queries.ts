import { api } from '@acc/contract'
import { useApiQuery } from '../../kit/api/query.ts'

export const useMailServer = () => useApiQuery(api.mailServer.find, {})
