// Queries of the license menu.
import { api } from '@acc/contract'
import { useApiQuery } from '../../kit/api/query.ts'

export const useLicense = () => useApiQuery(api.licenses.status, {})
