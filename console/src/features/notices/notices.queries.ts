// Queries of notices.
import { api } from '@acc/contract'
import { useApiQuery } from '../../kit/api/query.ts'

export const useNoticeChoice = () => useApiQuery(api.notices.choice, {})
export const useOverdue = () => useApiQuery(api.notices.overdue, {})
