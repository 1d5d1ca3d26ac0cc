// Texts of the groups, and the viewer's groups (GET /AuthGroups): the forest, and its groups by idx or level.
import { api } from '@acc/contract'
import type { Group } from '@acc/contract/groups'
import type { Policy } from '@acc/contract/policies'
import { useMemo } from 'react'
import { setRightsRevision } from '../../kit/api/call.ts'
import { useApiQuery } from '../../kit/api/query.ts'
import { defineTexts, useTexts } from '../../kit/texts/texts.ts'
import { filterGroups, flattenGroups } from './groupRows.ts'

export const groupsTexts = defineTexts(
  () => import('./groups.ko.json'),
  () => import('./groups.en.json'),
)

export function useAuthGroups() {
  const query = useApiQuery(api.groups.searchAuthGroups, {})
  if (query.data !== undefined) setRightsRevision(query.data.rightsRevision)
  return query
}

/** Finds groups by idx, and their paths from the root: the groups, or their names. */
export function useGroupIndex() {
  const { data } = useAuthGroups()
  return useMemo(() => {
    const rows = flattenGroups(data?.groups ?? [])
    const byIdx = new Map(rows.map((row) => [row.group.idx, row]))
    const chainOf = (idx: number): Group[] => {
      const chain: Group[] = []
      for (let row = byIdx.get(idx); row; row = row.parent ? byIdx.get(row.parent.idx) : undefined)
        chain.unshift(row.group)
      return chain
    }
    const pathOf = (idx: number): string[] => chainOf(idx).map(({ name }) => name)
    return { rows, find: (idx: number) => byIdx.get(idx)?.group, chainOf, pathOf }
  }, [data])
}

/** Returns the groups on which the viewer has a level for users or policies. */
export function useGroupsWith(level: 'maxUser' | 'maxPolicy') {
  const query = useAuthGroups()
  const groups = useMemo(() => filterGroups(query.data?.groups ?? [], (group) => group[level] > 0), [query.data, level])
  return { query, groups }
}

/** Text with the numbers of users and groups that a change of a policy or a group affects. */
export function useReach({ users, groups }: Policy['reach']) {
  const t = useTexts(groupsTexts)
  return { people: t('peopleCount', { count: users }), groups: t('groupCount', { count: groups }) }
}
