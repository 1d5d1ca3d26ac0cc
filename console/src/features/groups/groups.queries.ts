// The viewer's groups (GET /AuthGroups): the forest, its groups by idx, and those on which the viewer has a level.
import { api } from '@acc/contract'
import type { Group } from '@acc/contract/groups'
import { useMemo } from 'react'
import { setRightsRevision } from '../../kit/api/call.ts'
import { useApiQuery } from '../../kit/api/query.ts'
import { filterGroups, flattenGroups } from './groupRows.ts'

export function useAuthGroups() {
  const query = useApiQuery(api.groups.authGroups, {})
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
