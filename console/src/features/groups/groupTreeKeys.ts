// Keyboard handling of the group tree (WAI-ARIA tree view pattern).
import type { Group } from '@acc/contract/groups'
import type { GroupRow } from './groupRows.ts'

const PAGE = 15

type Tree = {
  rows: readonly GroupRow[]
  /** The active row. */
  at: number
  closed: ReadonlySet<number>
  go: (index: number) => void
  toggle: (idx: number) => void
  choose: (group: Group) => void
}

/** Returns the next row whose name starts with the typed text. */
function jumpToLetter(letter: string, { rows, at, go }: Tree): void {
  const after = [...rows.slice(at + 1), ...rows.slice(0, at + 1)]
  const found = after.find((row) => row.group.name.toLocaleLowerCase().startsWith(letter.toLocaleLowerCase()))
  if (found) go(rows.indexOf(found))
}

/** Returns false for keys that the tree does not handle. */
export function pressTreeKey(key: string, tree: Tree): boolean {
  const { rows, at, closed, go, toggle, choose } = tree
  const row = rows[at]
  if (!row) return false
  const isParent = row.group.children.length > 0
  const isClosed = closed.has(row.group.idx)
  const parentAt = rows.findIndex((one) => one.group.idx === row.parent?.idx)
  const moves = new Map<string, () => unknown>([
    ['ArrowDown', () => go(at + 1)],
    ['ArrowUp', () => go(at - 1)],
    ['Home', () => go(0)],
    ['End', () => go(rows.length - 1)],
    ['PageDown', () => go(Math.min(rows.length - 1, at + PAGE))],
    ['PageUp', () => go(Math.max(0, at - PAGE))],
    ['ArrowRight', () => isParent && (isClosed ? toggle(row.group.idx) : go(at + 1))],
    ['ArrowLeft', () => (isParent && !isClosed ? toggle(row.group.idx) : parentAt >= 0 && go(parentAt))],
    ['Enter', () => choose(row.group)],
    [' ', () => choose(row.group)],
  ])
  const move = moves.get(key)
  if (move) move()
  else if (key.length === 1) jumpToLetter(key, tree)
  return move !== undefined
}
