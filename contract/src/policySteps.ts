// Approval steps 2 and 3 of a policy: each names an authority whose members decide. Step 1 needs no row: the approvers
// of the requester's group decide it.
import { z } from 'zod'
import { idx } from './core/fields.ts'
import { Transfer } from './labels/requests.ts'

/** The steps that a policy may add to the first one. */
export const LATER_STEPS = [2, 3] as const

const StepChoice = z.object({
  type: z.literal(Transfer.values),
  step: z.literal(LATER_STEPS),
  authorityIdx: idx,
})
export type StepChoice = z.output<typeof StepChoice>

const isDistinct = (keys: readonly string[]) => new Set(keys).size === keys.length
const hasStep = (steps: readonly StepChoice[], type: Transfer, step: number) =>
  steps.some((one) => one.type === type && one.step === step)

/** The steps of a policy as an edit sends them: all of both directions. */
export const StepChoices = z.object({
  approvalSteps: z
    .array(StepChoice)
    .max(LATER_STEPS.length * Transfer.values.length, { abort: true })
    .refine((steps) => isDistinct(steps.map(({ type, step }) => `${type} ${step}`)), 'duplicate')
    .refine((steps) => isDistinct(steps.map(({ type, authorityIdx }) => `${type} ${authorityIdx}`)), 'duplicate')
    .refine((steps) => steps.every(({ type, step }) => step === 2 || hasStep(steps, type, 2)), 'gap'),
})
export type StepChoices = z.output<typeof StepChoices>

/** The steps of a policy, by direction and step. */
export const PolicySteps = z.object({
  approvalSteps: z.array(StepChoice.extend({ authorityName: z.string() })),
})
export type PolicySteps = z.output<typeof PolicySteps>
export type PolicyStep = PolicySteps['approvalSteps'][number]

/** Whether an authority that had to agree no longer has to: there are fewer steps, or another authority decides. */
export const losesStep = (before: readonly StepChoice[], after: readonly StepChoice[]): boolean =>
  before.some(
    ({ type, authorityIdx }) => !after.some((step) => step.type === type && step.authorityIdx === authorityIdx),
  )

/** An authority that may decide a step: it has level 2 on the page of the direction, and covers a group. */
export const StepAuthority = z.object({
  idx,
  name: z.string(),
  /** Members whose accounts are in use. */
  memberCount: z.int(),
})
export type StepAuthority = z.output<typeof StepAuthority>
