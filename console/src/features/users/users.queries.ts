// What the users screen asks for.
import { api } from '@acc/contract'
import type { Group } from '@acc/contract/groups'
import { useMemo } from 'react'
import { useApiQuery } from '../../kit/api/query.ts'
import { useAuthGroups } from '../../kit/tree/groups.ts'
import { shownGroups } from '../pickers/rights.ts'

export const useUser = (idx: number) => useApiQuery(api.users.find, { idx })

const hasUserLevel = ({ maxUser }: Group) => maxUser > 0

/** The groups over which the viewer holds a user level. */
export function useUserGroups() {
  const query = useAuthGroups()
  const groups = useMemo(() => shownGroups(query.data?.groups ?? [], hasUserLevel), [query.data])
  return { query, groups }
}
