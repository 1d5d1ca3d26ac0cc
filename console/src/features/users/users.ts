// Texts and view state of the users screen, and which users the viewer may act on.
import { api } from '@acc/contract'
import type { Group } from '@acc/contract/groups'
import { Level, Role } from '@acc/contract/labels/access'
import { StateFilter } from '@acc/contract/labels/users'
import type { User } from '@acc/contract/users'
import { z } from 'zod'
import type { ViewProps } from '../../kit/layout/view.ts'
import { searchFilter, searchView } from '../../kit/table/search.tsx'
import { defineTexts } from '../../kit/texts/texts.ts'

export const usersTexts = defineTexts(
  () => import('./users.ko.json'),
  () => import('./users.en.json'),
)

export const UsersView = z.object({
  idx: z.number().optional(),
  tab: z.enum(['update', 'create']).default('update'),
  ...searchView,
  state: z.literal(StateFilter.values).optional(),
  groupIdx: z.number().optional(),
  /** Several groups, as the dashboard counts them; none means all. */
  groups: z.array(z.number()).default([]),
  /** The dialog for a new user is open. */
  isCreating: z.boolean().optional(),
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

type Actor = { idx: number; isAdmin: boolean }
export type Lock = 'self' | 'admin' | 'manager' | 'noEditRight'

/**
 * Returns why this actor cannot suspend, move or delete a user; undefined if they can (spec S1 §6): never themselves or
 * a system administrator; managers need level 2 and cannot act on other members of an authority.
 */
export function lockOf(
  user: Pick<User, 'idx' | 'role' | 'groupIdx'>,
  actor: Actor,
  group: Pick<Group, 'maxUser'> | undefined,
): Lock | undefined {
  if (user.idx === actor.idx) return 'self'
  if (user.role === Role.ADMIN) return 'admin'
  if (user.role === Role.MANAGER && !actor.isAdmin) return 'manager'
  return group?.maxUser === Level.EDIT ? undefined : 'noEditRight'
}
