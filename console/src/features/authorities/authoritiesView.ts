// What the authorities screen shows: which tab and which axis, the authority and the user in focus.
import { z } from 'zod'

export const AuthoritiesView = z.object({
  tab: z.enum(['manage', 'create']).default('manage'),
  axis: z.enum(['auth', 'user']).default('auth'),
  idx: z.number().optional(),
  /** The user in focus. */
  userIdx: z.number().optional(),
  /** The authority that a new one starts as a copy of. */
  copyOf: z.number().optional(),
  search: z.string().default(''),
})
type View = z.output<typeof AuthoritiesView>
export type AuthoritiesView = View
export type SetAuthoritiesView = (
  change: { [K in keyof View]?: View[K] | undefined },
  options?: { replace?: boolean },
) => void
