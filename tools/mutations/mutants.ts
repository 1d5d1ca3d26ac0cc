// The mutants: one small change each to what the house promises. Access, limits, history entries, topics and errors.
import * as events from '../../contract/src/labels/history.ts'
import { isTest, sources } from '../sources.ts'
import { type Node, walk } from '../syntax.ts'

export const KINDS = ['access', 'guard', 'limit', 'history', 'topic', 'error'] as const
export type Kind = (typeof KINDS)[number]
export type Mutant = {
  /** Its place among all mutants of this text. */
  id: number
  /** What it is called in records, the same while its surroundings change. */
  key: string
  kind: Kind
  path: string
  line: number
  start: number
  end: number
  replacement: string
  before: string
  /** What it belongs to: a constant, or the calls of a domain. */
  name: string | undefined
  /** Evaluated when its module is loaded, and never again. */
  isStatic: boolean
}

/** What the rules look at in the nodes of a syntax tree. */
type AnyNode = Node & {
  key?: AnyNode
  name?: string
  value?: unknown
  raw?: string
  elements?: AnyNode[]
  properties?: AnyNode[]
  callee?: AnyNode
  object?: AnyNode
  property?: AnyNode
  arguments?: AnyNode[]
  argument?: AnyNode
  expression?: AnyNode
  consequent?: AnyNode
  alternate?: AnyNode | null
  body?: AnyNode[]
  id?: AnyNode
  init?: AnyNode | null
}
/** `whole` is what the change is about, if it is more than the changed text. */
type Edit = { kind: Kind; at: Node; replacement: string; whole?: Node }
type Rule = (node: AnyNode, around: readonly AnyNode[], textOf: (node: Node) => string) => Edit[]

const ALL_EVENTS: Record<string, unknown> = events
const keyOf = (node: AnyNode) => (node.type === 'Property' ? (node.key?.name ?? '') : '')
const calleeOf = (node: AnyNode | undefined): string =>
  node?.type === 'AwaitExpression'
    ? calleeOf(node.argument)
    : node?.type === 'CallExpression'
      ? (node.callee?.name ?? node.callee?.property?.name ?? '')
      : ''

const WIDER: Record<string, string> = {
  admin: "'session'",
  session: "'public'",
  agent: "'session'",
  bimServer: "'public'",
  public: "'session'",
}

/** Who may call: another caller, or a lower level. */
const access: Rule = (node) => {
  const value = node.value as AnyNode | undefined
  if (keyOf(node) === 'access' && typeof value?.value === 'string' && value.value in WIDER)
    return [{ kind: 'access', at: value, replacement: WIDER[value.value] ?? '' }]
  if (node.type !== 'MemberExpression' || node.object?.name !== 'Level') return []
  if (node.property?.name === 'EDIT') return [{ kind: 'access', at: node, replacement: 'Level.READ' }]
  return node.property?.name === 'READ' ? [{ kind: 'access', at: node, replacement: 'Level.NONE' }] : []
}

const LISTS: Record<string, Kind> = { errors: 'error', changes: 'topic' }

/** Each element of a list of errors or topics left out. */
const listed: Rule = (node, _, textOf) => {
  const kind = LISTS[keyOf(node)]
  const elements = (node.value as AnyNode | undefined)?.elements
  if (kind === undefined || elements === undefined) return []
  return elements.map((_element, place) => ({
    kind,
    at: node.value as Node,
    replacement: `[${elements.filter((_, other) => other !== place).map(textOf)}]`,
  }))
}

const LIMIT =
  /^MAX_|_LIMIT$|_PER_SECOND$|_HOURS$|_DAYS$|_MINUTES$|_SECONDS$|^(LONGEST|SHORTEST|BURST|ATTEMPTS|KEPT|DRIFT|EVALUATION|SPACE_RESERVE)/

/** A limit of a field moved by one; a limit with a name doubled. */
const limit: Rule = (node, _, textOf) => {
  const [argument] = node.arguments ?? []
  const method = node.callee?.type === 'MemberExpression' ? calleeOf(node) : ''
  const isBound = /^(max|min)$/.test(method) && node.callee?.object?.name !== 'Math'
  // `max('column')` is SQL's.
  if (argument !== undefined && isBound && typeof argument.value !== 'string')
    return [{ kind: 'limit', at: argument, replacement: `(${textOf(argument)}) ${method === 'max' ? '+' : '-'} 1` }]
  if (node.type !== 'VariableDeclarator' || !LIMIT.test(node.id?.name ?? '') || !node.init) return []
  const { expression = node.init } = node.init
  const values = expression.properties?.map(({ value }) => value as AnyNode) ?? [expression]
  return values
    .filter((value) => /^[\d_.]+( \*+ [\d_.]+)*$/.test(textOf(value)))
    .map((at) => ({ kind: 'limit', at, replacement: `(${textOf(at)}) * 2` }))
}

/** History entries that are not written, or name another event. */
const history: Rule = (node, _, textOf) => {
  const value = node.value as AnyNode | undefined
  if (keyOf(node) === 'log' && value !== undefined && textOf(value).startsWith('['))
    return textOf(value) === '[]' ? [] : [{ kind: 'history', at: value, replacement: '[]' }]
  if (node.type !== 'MemberExpression') return []
  const members = ALL_EVENTS[node.object?.name ?? '']
  const name = node.property?.name ?? ''
  const names = Object.keys(members ?? {}).filter((key) => /^[A-Z][A-Z0-9_]*$/.test(key))
  const other = names[(names.indexOf(name) + 1) % names.length]
  return !names.includes(name) || names.length < 2
    ? []
    : [{ kind: 'history', at: node, replacement: `${node.object?.name}.${other}` }]
}

const only = (node: AnyNode | undefined): AnyNode | undefined =>
  node?.type === 'BlockStatement' ? (node.body?.length === 1 ? only(node.body[0]) : undefined) : node

/** A check that is not made, and a change that is not announced. */
const statement: Rule = (node) => {
  const called = node.type === 'ExpressionStatement' ? calleeOf(node.expression) : ''
  if (called === 'notify') return [{ kind: 'topic', at: node, replacement: ';' }]
  if (/^require[A-Z]/.test(called)) return [{ kind: 'guard', at: node, replacement: ';' }]
  if (node.type !== 'IfStatement' || node.alternate || !node.consequent) return []
  const refusal = only(node.consequent)
  const isRefusal = calleeOf(refusal?.expression) === 'fail' || refusal?.argument?.callee?.name === 'Failure'
  // The consequent alone: so only a test that is refused asks for it.
  return isRefusal ? [{ kind: 'guard', at: node.consequent, replacement: ';', whole: node }] : []
}

const CONTRACT = [access, listed, limit]
const SERVER = [access, limit, history, statement]

/** Where the rules look, of what the calls' tests run. */
function rulesFor(path: string): readonly Rule[] {
  if (isTest(path) || /\.fixture\.ts$/.test(path)) return []
  if (/^contract\/src\/(?!labels\/)/.test(path)) return CONTRACT
  return /^server\/src\/(core|domains|events|http|settings)\//.test(path) ? SERVER : []
}

/** Whether its module evaluates it when it is loaded, and never again: lists are read again (switch.ts). */
const isLoaded = (kind: Kind, path: string, around: readonly AnyNode[]) =>
  kind !== 'error' &&
  kind !== 'topic' &&
  (path.startsWith('contract/') || !around.some(({ type }) => type.includes('Function')))

type FoundMutant = Omit<Mutant, 'id' | 'key'>

function mutantsIn(path: string, text: string): FoundMutant[] {
  const rules = rulesFor(path)
  const found: FoundMutant[] = []
  const textOf = (node: Node) => text.slice(node.start, node.end)
  if (rules.length > 0)
    walk(text, 'ts', (node: AnyNode, around: readonly AnyNode[]) => {
      for (const rule of rules)
        for (const { kind, at, replacement, whole = at } of rule(node, around, textOf)) {
          const line = text.slice(0, at.start).split('\n').length
          const { start, end } = at
          const name = [node, ...around].find(({ type }) => type === 'VariableDeclarator')?.id?.name
          const isStatic = isLoaded(kind, path, around)
          found.push({ kind, path, line, start, end, replacement, before: textOf(whole), name, isStatic })
        }
    })
  return found
}

/** Worker threads load the text on the disk, where no mutant is. */
const isReached = ({ path }: { path: string }) => !path.endsWith('.worker.ts')

/** Every mutant, in the order of the files. */
export function findMutants(): Mutant[] {
  const same = new Map<string, number>()
  return sources()
    .filter(isReached)
    .flatMap(({ path, text }) => mutantsIn(path, text))
    .map((found, id) => {
      const words = [found.kind, found.path, found.before, '->', found.replacement].join(' ').replace(/\s+/g, ' ')
      const count = (same.get(words) ?? 0) + 1
      same.set(words, count)
      return { ...found, id, key: `${words} #${count}` }
    })
}
