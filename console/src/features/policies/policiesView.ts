// View state of the policy screen: the group, optionally one of its users, and the tab.
import { z } from 'zod'

export const PoliciesView = z.object({
  groupIdx: z.number().optional(),
  userIdx: z.number().optional(),
  tab: z.enum(['policy', 'info']).default('policy'),
  part: z.enum(['environment', 'network', 'shortcut']).default('environment'),
})
type PoliciesView = z.output<typeof PoliciesView>

export type PolicyPart = PoliciesView['part']

export type PoliciesProps = {
  view: PoliciesView
  setView: (change: { [K in keyof PoliciesView]?: PoliciesView[K] | undefined }) => void
}
