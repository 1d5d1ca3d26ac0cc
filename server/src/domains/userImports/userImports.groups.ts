// Finds the groups that rows name by path or key, and plans the missing ones. Groups out of the author's reach behave
// as if they did not exist.
import { setImmediate as turn } from 'node:timers/promises'
import { key } from '@acc/contract/core/fields'
import { MAX_DEPTH, ROOT_GROUP } from '@acc/contract/groups'
import { Role } from '@acc/contract/labels/access'
import { ImportFault } from '@acc/contract/labels/userImports'
import { type ImportOptions, importedGroupName } from '@acc/contract/userImports'
import { closestMatch } from 'leven'
import type { Viewer } from '../../core/scope.ts'
import type { Reader } from '../../db/open.ts'
import type { SourceUnit } from './source.ts'
import type { CheckedRow, NewGroup } from './userImports.queries.ts'
import { findReachedGroups } from './userImports.queries.ts'

/** Suggestions cost time, so that only the first unknown paths get one, among this many paths. */
const [MAX_HINTS, MAX_CANDIDATES] = [50, 3_000]
/** Changed characters of a suggestion: a third of the path, and at most so many. */
const MAX_DISTANCE = 4

/** Groups that one plan creates at most. They are created in one transaction, which locks the tree. */
export const MAX_NEW_GROUPS = 2_000

const SEPARATOR = ' > '
const namesOf = (path: string): string[] => path.split('>').map((name) => name.trim().normalize('NFC'))
const comparable = (path: string): string => namesOf(path).join(SEPARATOR).toLowerCase()

type Node = { idx: number | null; path: string; depth: number; isAddable: boolean }
export type GroupTree = {
  /** By comparable path, below the base and from the top. Null: several groups have it. */
  byPath: Map<string, Node | null>
  byKey: Map<string, Node>
  /** The group below which paths begin; undefined if there are several tops. */
  base: Node | undefined
}

type Row = Awaited<ReturnType<typeof findReachedGroups>>[number]

/** Joins the names above each group. The root has no name of its own in paths, as in the console's trees. */
function joinNames(rows: readonly Row[], nameOf: (row: Row) => string): Map<number, string> {
  const paths = new Map<number, string>()
  for (const row of rows) {
    const above = row.parentIdx === null || row.parentIdx === ROOT_GROUP ? undefined : paths.get(row.parentIdx)
    paths.set(row.idx, above === undefined ? nameOf(row) : `${above}${SEPARATOR}${nameOf(row)}`)
  }
  return paths
}

/** Finds the shown paths of the groups that the author reaches. */
export const findPaths = async (db: Reader, viewer: Viewer): Promise<Map<number, string>> =>
  joinNames(await findReachedGroups(db, viewer), ({ name }) => name)

/** Reads the groups that the author reaches. `baseGroupIdx`: paths begin below it. */
export async function findTree(db: Reader, viewer: Viewer, baseGroupIdx: number | null): Promise<GroupTree> {
  const rows = await findReachedGroups(db, viewer)
  const paths = joinNames(rows, ({ name }) => name)
  const byIdx = new Map<number, Node>()
  const byKey = new Map<string, Node>()
  for (const { idx, key, depth, isAddable } of rows) {
    const node = { idx, path: paths.get(idx) ?? '', depth, isAddable }
    byIdx.set(idx, node)
    if (viewer.role === Role.ADMIN) byKey.set(key.toLowerCase(), node)
  }
  const tops = rows.filter(({ parentIdx }) => parentIdx === null || !byIdx.has(parentIdx))
  const baseIdx = baseGroupIdx ?? (tops.length === 1 ? tops[0]?.idx : undefined)
  const base = baseIdx === undefined ? undefined : byIdx.get(baseIdx)
  await turn()
  return { byPath: nodesByPath(rows, byIdx, base), byKey, base }
}

/** Maps the paths below the base, then those from the top where no other group has them. */
function nodesByPath(rows: readonly Row[], byIdx: Map<number, Node>, base: Node | undefined): GroupTree['byPath'] {
  const byPath: GroupTree['byPath'] = new Map()
  const names = new Map(rows.map(({ idx, name }) => [idx, comparable(name)]))
  const nameOf = ({ idx }: Row) => names.get(idx) ?? ''
  const relative = new Map<number, string>()
  for (const row of rows) {
    const above = row.parentIdx === null ? undefined : relative.get(row.parentIdx)
    if (row.idx === base?.idx) relative.set(row.idx, '')
    else if (above !== undefined)
      relative.set(row.idx, above === '' ? nameOf(row) : `${above}${SEPARATOR}${nameOf(row)}`)
    const path = relative.get(row.idx)
    if (path !== undefined && path !== '') byPath.set(path, byIdx.get(row.idx) ?? null)
  }
  const root = names.get(ROOT_GROUP)
  const own = new Map<string, Node | null>()
  for (const [idx, path] of joinNames(rows, nameOf)) {
    const ways = root === undefined || idx === ROOT_GROUP ? [path] : [path, `${root}${SEPARATOR}${path}`]
    for (const way of ways) own.set(way, own.has(way) ? null : (byIdx.get(idx) ?? null))
  }
  for (const [path, node] of own) if (!byPath.has(path)) byPath.set(path, node)
  return byPath
}

type Wanted = { options: ImportOptions; units: readonly SourceUnit[] }

/** Plans groups. They count as found for the rows that follow. */
function openPlan(tree: GroupTree, isAdding: boolean) {
  const groups: NewGroup[] = []
  /** Plans a group below a parent, or returns undefined if the author may not create it. */
  const add = (parent: Node, name: string, unitKey: string | null): Node | undefined => {
    const path = parent.idx === ROOT_GROUP ? name : `${parent.path}${SEPARATOR}${name}`
    const isValid = importedGroupName.safeParse(name).success && (unitKey === null || key.safeParse(unitKey).success)
    if (!isAdding || groups.length >= MAX_NEW_GROUPS || !parent.isAddable || parent.depth >= MAX_DEPTH || !isValid)
      return undefined
    const node: Node = { idx: null, path, depth: parent.depth + 1, isAddable: true }
    const parentPath = parent.idx === null ? parent.path : null
    groups.push({ path, parentIdx: parent.idx, parentPath, name, key: unitKey, isSync: unitKey === null ? 0 : 1 })
    tree.byPath.set(comparable(path), node)
    return node
  }
  return { groups, add }
}
type Plan = ReturnType<typeof openPlan>

/** Finds or plans the groups of units. A unit that was renamed or moved is found by its key. */
function resolveUnits(tree: GroupTree, units: readonly SourceUnit[], { add }: Plan): Map<string, Node> {
  const found = new Map<string, Node>()
  for (const unit of units) {
    const parent = unit.parentKey === null ? tree.base : found.get(unit.parentKey)
    const name = unit.name.normalize('NFC').trim()
    const known = tree.byKey.get(unit.key.toLowerCase()) ?? (parent && childOf(tree, parent, name))
    const node = known ?? (parent && add(parent, name, unit.key))
    if (node !== undefined) found.set(unit.key, node)
  }
  return found
}
const childOf = (tree: GroupTree, parent: Node, name: string): Node | undefined =>
  tree.byPath.get(comparable(parent.idx === ROOT_GROUP ? name : `${parent.path}${SEPARATOR}${name}`)) ?? undefined

/** Finds or plans the group of a path. */
function resolvePath(tree: GroupTree, text: string, { add }: Plan): Node | undefined {
  const known = tree.byPath.get(comparable(text))
  if (known !== undefined) return known ?? undefined
  const names = namesOf(text)
  if (names.length > MAX_DEPTH) return undefined
  let [node, begin] = [tree.base, 0]
  let path = ''
  for (const [at, name] of names.slice(0, -1).entries()) {
    path += `${at === 0 ? '' : SEPARATOR}${name.toLowerCase()}`
    const above = tree.byPath.get(path)
    if (above) [node, begin] = [above, at + 1]
  }
  for (const name of names.slice(begin)) node = node && add(node, name, null)
  if (node !== undefined) tree.byPath.set(comparable(text), node)
  return node
}

/** Finds the groups of rows, and plans missing ones. */
export function openGroups(tree: GroupTree, { options, units }: Wanted) {
  const plan = openPlan(tree, options.addsGroups === 1)
  const byUnit = resolveUnits(tree, units, plan)
  const unitKeys = new Set(units.map((unit) => unit.key))
  const found = new Map<string, Node | undefined>()
  const hints = new Map<string, string>()
  const find = async (text: string): Promise<Node | undefined> => {
    if (!found.has(text)) {
      // The key of a group or unit is no path, of which a group would be created.
      const known = byUnit.get(text) ?? tree.byKey.get(text.toLowerCase())
      found.set(text, known ?? (unitKeys.has(text) ? undefined : resolvePath(tree, text, plan)))
      if (found.size % 20 === 0) await turn()
    }
    return found.get(text)
  }
  return {
    /** The groups to create, parents first. */
    planned: plan.groups,
    /** Fills the groups of rows, with a fault where there is none. */
    async enter(rows: readonly CheckedRow[]): Promise<void> {
      for (const row of rows) {
        if (row.group === null || row.faults.some(({ field }) => field === 'group')) continue
        const text = row.group
        const node = await find(text)
        if (node !== undefined) {
          row.groupIdx = node.idx
          row.group = node.path
          continue
        }
        if (!hints.has(text)) hints.set(text, hints.size < MAX_HINTS ? await hintOf(tree, text) : '')
        row.faults.push({ field: 'group', fault: ImportFault.NO_GROUP, hint: hints.get(text) ?? '' })
      }
    },
  }
}

/** Returns the most similar path, or an empty text. */
async function hintOf(tree: GroupTree, text: string): Promise<string> {
  await turn()
  const path = comparable(text)
  const maxDistance = Math.min(MAX_DISTANCE, Math.ceil(path.length / 3))
  const near = [...tree.byPath.keys()].filter((one) => Math.abs(one.length - path.length) <= maxDistance)
  const found = closestMatch(path, near.slice(0, MAX_CANDIDATES), { maxDistance })
  return (found !== undefined && tree.byPath.get(found)?.path) || ''
}
