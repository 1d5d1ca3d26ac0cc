// View state of the users screen: the filters of the list, and the user next to it.
import { api } from '@acc/contract'
import type { Group } from '@acc/contract/groups'
import { StateFilter } from '@acc/contract/labels/users'
import { z } from 'zod'
import type { ViewProps } from '../../kit/layout/view.ts'
import { searchFilter, searchView } from '../../kit/table/search.tsx'

export const UsersView = z.object({
  idx: z.number().optional(),
  tab: z.enum(['update', 'create']).default('update'),
  ...searchView,
  state: z.literal(StateFilter.values).optional(),
  groupIdx: z.number().optional(),
  /** Several groups, as the dashboard counts them; none means all. */
  groups: z.array(z.number()).default([]),
  /** Imports take the place of the list: their first page, or one run. */
  part: z.enum(['imports']).optional(),
  importIdx: z.number().optional(),
})
export type UsersView = z.output<typeof UsersView>

export type UsersProps = ViewProps<typeof UsersView>

/** Returns the input of the list. */
export function filterOf(view: UsersView) {
  const { state, groupIdx, groups } = view
  return {
    ...searchFilter(api.users.search, view),
    shownState: state,
    groupIdx,
    groupIdxes: groups.length > 0 ? groups : undefined,
    withSubgroups: groupIdx === undefined ? undefined : (1 as const),
  }
}

export const isFiltered = (view: UsersView): boolean =>
  Object.entries(filterOf(view)).some(([name, value]) => name !== 'filterType' && value !== undefined)

/** Empty values of all filters except the group. */
export const WITHOUT_TEXTS = { search: '', texts: {}, state: undefined }

/** Whether a group is this one or below it, as far as its ancestors are known. */
export function isWithin(groupIdx: number, above: number, find: (idx: number) => Pick<Group, 'parentIdx'> | undefined) {
  for (let at: number | null | undefined = groupIdx; at; at = find(at)?.parentIdx) if (at === above) return true
  return false
}
