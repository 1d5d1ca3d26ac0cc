// The policy as text, one line for each field.
import type { AgentPolicy } from '@acc/contract/agent'
import type { Language } from '@acc/contract/labels/enumOf'
import { Permission, POLICY_FIELD_LABELS, POLICY_LIST_LABELS, policyValueText } from '@acc/contract/labels/policies'
import { portText, targetText } from '@acc/contract/policyExceptions'
import { POLICY_FIELDS, type PolicyValues } from '@acc/contract/policyValues'

export type PolicyLine = { name: string; value: string }

/** Returns the fields in the policy's order, each with its value. */
export const policyLines = (policy: PolicyValues, language: Language): PolicyLine[] =>
  POLICY_FIELDS.map((field) => ({
    name: POLICY_FIELD_LABELS[field][language],
    value: policyValueText(field, policy[field], language),
  }))

/** Returns a line for each field that differs, with the value before and after. */
export function policyChanges(before: PolicyValues, after: PolicyValues, language: Language): string[] {
  const earlier = policyLines(before, language)
  return policyLines(after, language).flatMap(({ name, value }, at) => {
    const old = earlier[at]?.value
    return old === value ? [] : [`${name}: ${old} → ${value}`]
  })
}

/** The lists that clients receive. */
const { approvalSteps: _, ...LIST_LABELS } = POLICY_LIST_LABELS

type PolicyLists = Pick<AgentPolicy, keyof typeof LIST_LABELS>
export type ListBlock = { name: string; rows: string[][] }

/** Returns the exceptions and shortcuts as tables; empty lists are left out. */
export function policyLists(lists: PolicyLists, language: Language): ListBlock[] {
  const exceptions = (rows: PolicyLists['policyNetworkExceptions']) =>
    rows.map((row) => [row.description, targetText(row), portText(row.port), Permission.labels[row.access][language]])
  const rows = {
    policyNetworkExceptions: exceptions(lists.policyNetworkExceptions),
    policyLocalNetworkExceptions: exceptions(lists.policyLocalNetworkExceptions),
    policyLoopbackExceptions: lists.policyLoopbackExceptions.map((row) => [row.description, row.processName]),
    shortcutWebs: lists.shortcutWebs.map(({ name, url }) => [name, url]),
    shortcutPrograms: lists.shortcutPrograms.map(({ name, path }) => [name, path]),
  } satisfies Record<keyof typeof LIST_LABELS, string[][]>
  return Object.entries(rows)
    .filter(([, all]) => all.length > 0)
    .map(([name, all]) => ({ name: LIST_LABELS[name as keyof typeof rows][language], rows: all }))
}

const CONFIGS = ['siteConfig', 'clientPolicy'] as const

/** Returns the names of the lists and configurations that differ. */
export function listChanges(before: AgentPolicy, after: AgentPolicy, language: Language): string[] {
  const lists = Object.keys(LIST_LABELS) as (keyof typeof LIST_LABELS)[]
  return [
    ...lists
      .filter((list) => JSON.stringify(before[list]) !== JSON.stringify(after[list]))
      .map((list) => LIST_LABELS[list][language]),
    ...CONFIGS.filter((config) => before[config] !== after[config]),
  ]
}
