// View state of the authorities screen: tab, axis, focused authority and focused user.
import { z } from 'zod'

export const AuthoritiesView = z.object({
  tab: z.enum(['manage', 'create']).default('manage'),
  axis: z.enum(['auth', 'user']).default('auth'),
  idx: z.number().optional(),
  /** The focused user. */
  userIdx: z.number().optional(),
  /** The authority to copy into a new one. */
  copyOf: z.number().optional(),
  search: z.string().default(''),
})
type View = z.output<typeof AuthoritiesView>
export type AuthoritiesView = View
export type SetAuthoritiesView = (
  change: { [K in keyof View]?: View[K] | undefined },
  options?: { replace?: boolean },
) => void
