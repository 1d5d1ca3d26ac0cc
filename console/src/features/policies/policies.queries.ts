// What the policy screen asks for.
import { api } from '@acc/contract'
import type { OwnerType } from '@acc/contract/enums'
import type { Group } from '@acc/contract/groups'
import { useMemo } from 'react'
import { useApiQuery } from '../../kit/api/query.ts'
import { useAuthGroups } from '../../kit/tree/groups.ts'
import { shownGroups } from '../pickers/rights.ts'

/** Whose policy: a group's or a user's. */
export type Owner = { ownerIdx: number; ownerType: OwnerType }

export const usePolicy = (owner: Owner) => useApiQuery(api.policies.find, owner)
export const useUser = (idx: number) => useApiQuery(api.users.find, { idx })

const hasPolicyLevel = ({ maxPolicy }: Group) => maxPolicy > 0

/** The groups over which the viewer holds a policy level. */
export function usePolicyGroups() {
  const query = useAuthGroups()
  const groups = useMemo(() => shownGroups(query.data?.groups ?? [], hasPolicyLevel), [query.data])
  return { query, groups }
}
