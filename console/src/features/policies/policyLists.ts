// The lists of a policy in words: what an own policy loses and gains when it inherits again.
import type { PolicyContents } from '@acc/contract/policies'
import type { ExceptionList, ExceptionLists } from '@acc/contract/policyExceptions'
import { ANY_PORT, targetText } from '@acc/contract/policyExceptions'
import type { NamedShortcuts } from '@acc/contract/policyShortcuts'
import { listDifference } from './exceptionValues.ts'

export type PolicyList = ExceptionList | 'shortcutWebs' | 'shortcutPrograms'
/** The entries of one list that are in one policy only. */
export type ListChange = { list: PolicyList; lost: string[]; gained: string[] }

/** The exceptions of a policy as its form edits them. */
export const listsOf = (policy: PolicyContents): ExceptionLists => ({
  policyNetworkExceptions: policy.policyNetworkExceptions,
  policyLocalNetworkExceptions: policy.policyLocalNetworkExceptions,
  policyLoopbackExceptions: policy.policyLoopbackExceptions.map(({ policyIdx: _, ...row }) => row),
})

type Row = { idx: number }

function changeOf<T extends Row>(list: PolicyList, own: readonly T[], above: readonly T[], textOf: (row: T) => string) {
  const { removed, added } = listDifference(own, above)
  return { list, lost: removed.map(textOf), gained: added.map(textOf) }
}

const named = <T extends Row>(rows: readonly T[], nameOf: (row: T) => string) =>
  rows.map((row) => ({ idx: row.idx, name: nameOf(row) }))

/** Returns the lists that differ, in the order of the panel. */
export function listChanges(own: PolicyContents, above: PolicyContents): ListChange[] {
  const network = (list: 'policyNetworkExceptions' | 'policyLocalNetworkExceptions') =>
    changeOf(list, own[list], above[list], (row) => {
      const port = row.port === ANY_PORT ? '' : `:${row.port}`
      return `${row.description} (${targetText(row)}${port})`
    })
  const shortcuts = <T extends Row & { name: string }>(
    list: PolicyList,
    one: readonly T[],
    other: readonly T[],
    targetOf: (row: T) => string,
  ) => {
    const textOf = (row: T) => `${row.name} (${targetOf(row)})`
    return changeOf(list, named(one, textOf), named(other, textOf), ({ name }) => name)
  }
  const changes = [
    network('policyNetworkExceptions'),
    network('policyLocalNetworkExceptions'),
    changeOf(
      'policyLoopbackExceptions',
      own.policyLoopbackExceptions,
      above.policyLoopbackExceptions,
      ({ description, processName }) => `${description} (${processName})`,
    ),
    shortcuts('shortcutWebs', own.shortcutWebs, above.shortcutWebs, ({ url }) => url),
    shortcuts('shortcutPrograms', own.shortcutPrograms, above.shortcutPrograms, ({ path }) => path),
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

/** The order of names in lists. */
export const byName = (rows: readonly Shortcut[]): Shortcut[] => {
  const collator = new Intl.Collator('ko', { numeric: true })
  return rows.toSorted((one, other) => collator.compare(one.name, other.name))
}

/** The idxes of shortcuts in one order, so that picking what was removed changes nothing. */
export const idxesOf = (rows: readonly Shortcut[]): number[] => rows.map(({ idx }) => idx).sort((a, b) => a - b)
