// View state of the users screen: the filters of the list and the user beside it.
import type { Group } from '@acc/contract/groups'
import { StateFilter } from '@acc/contract/labels/users'
import { z } from 'zod'

const text = z.string().default('')

export const UsersView = z.object({
  idx: z.number().optional(),
  tab: z.enum(['update', 'create']).default('update'),
  isMulti: z.boolean().default(false),
  search: text,
  id: text,
  name: text,
  email: text,
  groupName: text,
  state: z.literal(StateFilter.values).optional(),
  groupIdx: z.number().optional(),
  /** Several groups, as the dashboard counts them; none means all. */
  groups: z.array(z.number()).default([]),
})
export type UsersView = z.output<typeof UsersView>

export type UsersProps = {
  view: UsersView
  setView: (change: { [K in keyof UsersView]?: UsersView[K] | undefined }, options?: { replace?: boolean }) => void
}

const orUndefined = (value: string) => (value === '' ? undefined : value)

/** Returns the input of the list: one text for all columns, or one for each column. */
export function filterOf(view: UsersView) {
  const { isMulti, search, state, groupIdx, groups } = view
  const one = orUndefined(search)
  return {
    filterType: isMulti ? (1 as const) : (0 as const),
    id: isMulti ? orUndefined(view.id) : one,
    name: isMulti ? orUndefined(view.name) : one,
    email: isMulti ? orUndefined(view.email) : one,
    groupName: isMulti ? orUndefined(view.groupName) : one,
    shownState: state,
    groupIdx,
    groupIdxes: groups.length > 0 ? groups : undefined,
    withSubgroups: groupIdx === undefined ? undefined : (1 as const),
  }
}

export const isFiltered = (view: UsersView): boolean =>
  Object.entries(filterOf(view)).some(([name, value]) => name !== 'filterType' && value !== undefined)

/** Empty values of all filters except the group. */
export const WITHOUT_TEXTS = { search: '', id: '', name: '', email: '', groupName: '', state: undefined }

/** Whether a group is this one or below it, as far as its ancestors are known. */
export function isWithin(groupIdx: number, above: number, find: (idx: number) => Pick<Group, 'parentIdx'> | undefined) {
  for (let at: number | null | undefined = groupIdx; at; at = find(at)?.parentIdx) if (at === above) return true
  return false
}
