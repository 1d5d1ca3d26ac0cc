// Texts and view state of the policy screen.
import type { OwnerType } from '@acc/contract/labels/policies'
import { POLICY_FIELDS } from '@acc/contract/policyValues'
import { z } from 'zod'
import type { ViewProps } from '../../kit/layout/view.ts'
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
  tab: z.enum(['policy', 'info', 'managers']).default('policy'),
  /** The dialog for a new group is open. */
  isCreating: z.boolean().optional(),
  part: z.enum(['environment', 'network', 'shortcut']).default('environment'),
  /** The map of all groups instead of one policy. */
  isMap: z.boolean().default(false),
  /** The list of exceptions to review, instead of both. */
  isReport: z.boolean().default(false),
  /** Shows since when each value applies. */
  isExplained: z.boolean().default(false),
  /** The value that receives the focus. */
  field: z.enum(POLICY_FIELDS).optional().catch(undefined),
})
export type PolicyPart = z.output<typeof PoliciesView>['part']

export type PoliciesProps = ViewProps<typeof PoliciesView>
