// Texts and view state of the policy screen.
import type { OwnerType } from '@acc/contract/labels/policies'
import { z } from 'zod'
import { defineTexts } from '../../kit/texts/texts.ts'

export const policiesTexts = defineTexts(
  () => import('./policies.ko.json'),
  () => import('./policies.en.json'),
)

/** The owner of a policy: a group or a user. */
export type Owner = { ownerIdx: number; ownerType: OwnerType }

/** The group, optionally one of its users, and the tab. */
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
