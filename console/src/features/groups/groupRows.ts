// Flattens groups into tree rows: in order, below expanded groups, filtered by a search.
import type { Group } from '@acc/contract/groups'

/** Reordering a list. Returns an order without rows that were removed, with those that were added since at the end. */
export function withPresent<T>(order: readonly T[], present: readonly T[]): T[] {
  const isPresent = (item: T) => present.includes(item)
  return [...order.filter(isPresent), ...present.filter((item) => !order.includes(item))]
}

/** Returns the list with `item` at index `at`; the others keep their order. */
export function moved<T>(list: readonly T[], item: T, at: number): T[] {
  const others = list.filter((one) => one !== item)
  return [...others.slice(0, at), item, ...others.slice(at)]
}

export type GroupRow = { group: Group; depth: number; parent: Group | null; position: number; siblings: number }

/** Returns every group with its position, parents before children. Not recursive, since trees may be deep. */
export function flattenGroups(forest: readonly Group[]): GroupRow[] {
  const rows: GroupRow[] = []
  const rest: GroupRow[] = []
  const push = (groups: readonly Group[], depth: number, parent: Group | null) => {
    for (let at = groups.length - 1; at >= 0; at--) {
      const group = groups[at]
      if (group) rest.push({ group, depth, parent, position: at + 1, siblings: groups.length })
    }
  }
  push(forest, 0, null)
  for (let row = rest.pop(); row; row = rest.pop()) {
    rows.push(row)
    push(row.group.children, row.depth + 1, row.group)
  }
  return rows
}

/** Returns the groups above one, the nearest first. */
export function ancestorsOf(rows: readonly GroupRow[], idx: number): number[] {
  const parents = new Map(rows.map((row) => [row.group.idx, row.parent?.idx]))
  const above: number[] = []
  for (let at = parents.get(idx); at !== undefined; at = parents.get(at)) above.push(at)
  return above
}

/** Returns the visible rows: those below expanded groups, or, while searching, the matches with their ancestors. */
export function visibleRows(rows: readonly GroupRow[], closed: ReadonlySet<number>, search: string): GroupRow[] {
  const wanted = search.trim().toLocaleLowerCase()
  return wanted === '' ? openRows(rows, closed) : matchingRows(rows, wanted)
}

const isMatch = ({ group }: GroupRow, wanted: string) => group.name.toLocaleLowerCase().includes(wanted)

/** Returns the first row that a search finds; undefined while nothing is searched. */
export function firstMatch(rows: readonly GroupRow[], search: string): GroupRow | undefined {
  const wanted = search.trim().toLocaleLowerCase()
  return wanted === '' ? undefined : rows.find((row) => isMatch(row, wanted))
}

export function countMatches(rows: readonly GroupRow[], search: string): number {
  const wanted = search.trim().toLocaleLowerCase()
  return wanted === '' ? 0 : rows.filter((row) => isMatch(row, wanted)).length
}

function openRows(rows: readonly GroupRow[], closed: ReadonlySet<number>): GroupRow[] {
  const shown: GroupRow[] = []
  let hiddenBelow = Number.POSITIVE_INFINITY
  for (const row of rows) {
    if (row.depth > hiddenBelow) continue
    shown.push(row)
    hiddenBelow = closed.has(row.group.idx) ? row.depth : Number.POSITIVE_INFINITY
  }
  return shown
}

function matchingRows(rows: readonly GroupRow[], wanted: string): GroupRow[] {
  const kept = new Set<number>()
  const parents = new Map(rows.map((row) => [row.group.idx, row.parent?.idx]))
  for (const row of rows) {
    if (!isMatch(row, wanted)) continue
    for (let at: number | undefined = row.group.idx; at !== undefined && !kept.has(at); at = parents.get(at))
      kept.add(at)
  }
  return rows.filter((row) => kept.has(row.group.idx))
}

/** Returns the forest without hidden groups; their subgroups move up to the nearest visible ancestor. */
export function filterGroups(forest: readonly Group[], isShown: (group: Group) => boolean): Group[] {
  return forest.flatMap((group) => {
    const children = filterGroups(group.children, isShown)
    return isShown(group) ? [{ ...group, children }] : children
  })
}
