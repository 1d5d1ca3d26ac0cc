// The lists of a policy in words: what an own policy loses and gains when it inherits again.

import type { StoredEnd } from '@acc/contract/ends'
import { formatMoment } from '@acc/contract/labels/formats'
import { Permission } from '@acc/contract/labels/policies'
import type { PolicyContents } from '@acc/contract/policies'
import {
  type ExceptionList,
  type ExceptionLists,
  type LoopbackException,
  type NetworkException,
  portText,
  targetText,
} from '@acc/contract/policyExceptions'
import type { NamedShortcuts } from '@acc/contract/policyShortcuts'
import type { PolicyStep, PolicySteps, StepChoice } from '@acc/contract/policySteps'
import type { PolicyValues } from '@acc/contract/policyValues'
import { listDifference } from './exceptionValues.ts'

/** The fields of the form that hold shortcuts, by their idxes. */
export const SHORTCUT_FIELDS = { shortcutWebs: 'shortcutWebIdxes', shortcutPrograms: 'shortcutProgramIdxes' } as const

export type PolicyList = 'approvalSteps' | ExceptionList | 'shortcutWebs' | 'shortcutPrograms'
/** The contents of a policy, stored or in its form. */
export type Contents = Record<keyof PolicyValues, number> & PolicySteps & ExceptionLists & NamedShortcuts
/** The entries of one list that are in one policy only, and how many are in both. */
export type ListChange = { list: PolicyList; lost: string[]; gained: string[]; kept: number }

/** The exceptions of a policy as its form edits them. */
export const listsOf = (policy: PolicyContents): ExceptionLists => ({
  policyNetworkExceptions: policy.policyNetworkExceptions,
  policyLocalNetworkExceptions: policy.policyLocalNetworkExceptions,
  policyLoopbackExceptions: policy.policyLoopbackExceptions.map(({ policyIdx: _, ...row }) => row),
})

type Row = { idx: number }

/** The name and the contents of a row. */
type Words = { name: string; content: string }

/** Names the rows of each side that the other one lacks, with their contents where a name is on both sides. */
function changeOf<T extends Row>(list: PolicyList, own: readonly T[], above: readonly T[], wordsOf: (row: T) => Words) {
  const { removed, added } = listDifference(own, above)
  const [lost, gained] = [removed.map(wordsOf), added.map(wordsOf)]
  const names = (side: readonly { name: string }[]) => new Set(side.map(({ name }) => name))
  const both = names(lost)
  const again = names(gained)
  const textOf = ({ name, content }: Words) => (both.has(name) && again.has(name) ? `${name} (${content})` : name)
  return { list, lost: lost.map(textOf), gained: gained.map(textOf), kept: above.length - added.length }
}

/** The end of a row; a new row of an old draft has none. */
export const endOfRow = ({ endDT = null, endReason = null }: NetworkException): StoredEnd => ({ endDT, endReason })

const networkWords = ({ port, access, endDT, ...row }: NetworkException): Words => ({
  name: row.description,
  content: `${targetText(row)}:${portText(port)} ${access === Permission.ALLOW ? '+' : '-'}${endDT ? ` ~${formatMoment(endDT)}` : ''}`,
})
const loopbackWords = ({ description, processName }: LoopbackException): Words => ({
  name: description,
  content: processName,
})
const shortcutWords = ({ name, target }: { name: string; target: string }): Words => ({ name, content: target })

/** Steps as rows to compare. */
export const stepRows = (steps: readonly PolicyStep[]) => steps.map((step) => ({ ...step, idx: step.authorityIdx }))

/** Returns the later steps of a direction with another authority, or none, at a step. Those after it move up. */
export function replaceStep(
  steps: readonly PolicyStep[],
  { type, step }: Pick<StepChoice, 'type' | 'step'>,
  authority: { idx: number; name: string } | undefined,
): PolicyStep[] {
  const chosen = authority ? [{ type, step, authorityIdx: authority.idx, authorityName: authority.name }] : []
  const others = steps.filter((one) => one.step !== step)
  return [...others, ...chosen]
    .sort((one, other) => one.step - other.step)
    .map((one, at) => ({ ...one, step: at === 0 ? 2 : 3 }))
}

/** Names a step with its authority. */
export type StepText = (step: PolicyStep) => string

/** Returns the lists that differ, in the order of the panel. */
export function listChanges(own: Contents, above: Contents, stepText: StepText): ListChange[] {
  const [mine, theirs] = [
    { ...own, ...bareShortcuts(own) },
    { ...above, ...bareShortcuts(above) },
  ]
  const stepWords = (step: PolicyStep): Words => ({ name: stepText(step), content: '' })
  const changes = [
    changeOf('approvalSteps', stepRows(own.approvalSteps), stepRows(above.approvalSteps), stepWords),
    changeOf('policyNetworkExceptions', mine.policyNetworkExceptions, theirs.policyNetworkExceptions, networkWords),
    changeOf(
      'policyLocalNetworkExceptions',
      mine.policyLocalNetworkExceptions,
      theirs.policyLocalNetworkExceptions,
      networkWords,
    ),
    changeOf('policyLoopbackExceptions', mine.policyLoopbackExceptions, theirs.policyLoopbackExceptions, loopbackWords),
    changeOf('shortcutWebs', mine.shortcutWebs, theirs.shortcutWebs, shortcutWords),
    changeOf('shortcutPrograms', mine.shortcutPrograms, theirs.shortcutPrograms, shortcutWords),
  ]
  return changes.filter(({ lost, gained }) => lost.length + gained.length > 0)
}

/** A shortcut of either kind; `target` is its URL or path. */
export type Shortcut = {
  idx: number
  name: string
  target: string
  iconName?: string | null
  iconData?: string | null
}

export const ofWeb = <T extends { url: string }>({ url, ...shortcut }: T) => ({ ...shortcut, target: url })
export const ofProgram = <T extends { path: string }>({ path, ...shortcut }: T) => ({ ...shortcut, target: path })

export const shortcutsOf = ({ shortcutWebs, shortcutPrograms }: NamedShortcuts) => ({
  shortcutWebs: shortcutWebs.map(ofWeb),
  shortcutPrograms: shortcutPrograms.map(ofProgram),
})

/** Shortcuts of both kinds as a policy has them. */
export const namedShortcuts = (webs: readonly Shortcut[], programs: readonly Shortcut[]): NamedShortcuts => ({
  shortcutWebs: webs.map(({ idx, name, target }) => ({ idx, name, url: target })),
  shortcutPrograms: programs.map(({ idx, name, target }) => ({ idx, name, path: target })),
})

/** Without icons, to compare. */
export const bare = ({ idx, name, target }: Shortcut) => ({ idx, name, target })
const bareShortcuts = (policy: NamedShortcuts) => {
  const { shortcutWebs, shortcutPrograms } = shortcutsOf(policy)
  return { shortcutWebs: shortcutWebs.map(bare), shortcutPrograms: shortcutPrograms.map(bare) }
}

/** The order of names in lists. */
export const byName = (rows: readonly Shortcut[]): Shortcut[] => {
  const collator = new Intl.Collator('ko', { numeric: true })
  return rows.toSorted((one, other) => collator.compare(one.name, other.name))
}

/** The idxes of shortcuts in one order, so that removing a shortcut and picking it again changes nothing. */
export const idxesOf = (rows: readonly Shortcut[]): number[] => rows.map(({ idx }) => idx).sort((a, b) => a - b)
