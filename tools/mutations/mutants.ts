// The mutants: one small change each to what the house promises. Access, limits, history entries, topics and errors.
import * as events from '../../contract/src/labels/history.ts'
import { isTest, sources } from '../sources.ts'
import { type Node, walk } from '../syntax.ts'

export const KINDS = ['access', 'guard', 'limit', 'history', 'topic', 'error'] as const
type Kind = (typeof KINDS)[number]
export type Mutant = {
  kind: Kind
  path: string
  line: number
  start: number
  end: number
  replacement: string
  before: string
  /** The name of the call, in the contract. */
  route: string | undefined
}

/** What the rules look at in the nodes of a syntax tree. */
type AnyNode = Node & {
  key?: AnyNode
  name?: string
  value?: unknown
  raw?: string
  elements?: AnyNode[]
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
type Edit = { kind: Kind; at: Node; replacement: string }
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

const LIMIT = /^MAX_|_LIMIT$|_PER_SECOND$|_HOURS$|_DAYS$|_MINUTES$|_SECONDS$|^(LONGEST|BURST|ATTEMPTS)/

/** A limit of a field moved by one; a limit with a name doubled. */
const limit: Rule = (node, _, textOf) => {
  const [argument] = node.arguments ?? []
  const method = node.callee?.type === 'MemberExpression' ? calleeOf(node) : ''
  const isBound = /^(max|min)$/.test(method) && node.callee?.object?.name !== 'Math'
  // `max('column')` is SQL's.
  if (argument !== undefined && isBound && typeof argument.value !== 'string')
    return [{ kind: 'limit', at: argument, replacement: `(${textOf(argument)}) ${method === 'max' ? '+' : '-'} 1` }]
  if (node.type !== 'VariableDeclarator' || !LIMIT.test(node.id?.name ?? '') || !node.init) return []
  if (!/^[\d_.]+( \*+ [\d_.]+)*$/.test(textOf(node.init))) return []
  return [{ kind: 'limit', at: node.init, replacement: `(${textOf(node.init)}) * 2` }]
}

/** History entries that are not written, or name another event. */
const history: Rule = (node, _, textOf) => {
  const value = node.value as AnyNode | undefined
  if (keyOf(node) === 'log' && value !== undefined && textOf(value).startsWith('['))
    return textOf(value) === '[]' ? [] : [{ kind: 'history', at: value, replacement: '[]' }]
  if (node.type !== 'MemberExpression') return []
  const members = ALL_EVENTS[node.object?.name ?? '']
  const name = node.property?.name ?? ''
  if (typeof members !== 'object' || members === null || !(name in members)) return []
  const names = Object.keys(members).filter((key) => /^[A-Z0-9_]+$/.test(key))
  const other = names[(names.indexOf(name) + 1) % names.length]
  return names.length < 2 ? [] : [{ kind: 'history', at: node, replacement: `${node.object?.name}.${other}` }]
}

const only = (node: AnyNode | undefined): AnyNode | undefined =>
  node?.type === 'BlockStatement' ? (node.body?.length === 1 ? only(node.body[0]) : undefined) : node

/** A check that is not made, and a change that is not announced. */
const statement: Rule = (node) => {
  const called = node.type === 'ExpressionStatement' ? calleeOf(node.expression) : ''
  if (called === 'notify') return [{ kind: 'topic', at: node, replacement: ';' }]
  if (/^require[A-Z]/.test(called)) return [{ kind: 'guard', at: node, replacement: ';' }]
  const isRefusal =
    node.type === 'IfStatement' && !node.alternate && calleeOf(only(node.consequent)?.expression) === 'fail'
  return isRefusal ? [{ kind: 'guard', at: node, replacement: ';' }] : []
}

const CONTRACT = [access, listed, limit]
const SERVER = [access, limit, history, statement]

/** Where the rules look, of what the calls' tests run. */
function rulesFor(path: string): readonly Rule[] {
  if (isTest(path) || /\.fixture\.ts$/.test(path)) return []
  if (/^contract\/src\/(?!labels\/)/.test(path)) return CONTRACT
  return /^server\/src\/(core|domains|events|http|settings)\//.test(path) ? SERVER : []
}

/** The names of a call: its group and itself, such as `users.create`. */
function routeOf(around: readonly AnyNode[]): string | undefined {
  const names = around.filter(({ type }) => type === 'Property').map(keyOf)
  const group = around.find(({ type }) => type === 'VariableDeclarator')?.id?.name
  const name = names.at(-1)
  return group !== undefined && name !== undefined ? `${group}.${name}` : undefined
}

function mutantsIn(path: string, text: string): Mutant[] {
  const rules = rulesFor(path)
  const found: Mutant[] = []
  const textOf = (node: Node) => text.slice(node.start, node.end)
  if (rules.length > 0)
    walk(text, 'ts', (node: AnyNode, around: readonly AnyNode[]) => {
      for (const rule of rules)
        for (const { kind, at, replacement } of rule(node, around, textOf)) {
          const line = text.slice(0, at.start).split('\n').length
          const { start, end } = at
          found.push({
            kind,
            path,
            line,
            start,
            end,
            replacement,
            before: textOf(at),
            route: routeOf([node, ...around]),
          })
        }
    })
  return found
}

/** Every mutant, in the order of the files. */
export const findMutants = (): Mutant[] => sources().flatMap(({ path, text }) => mutantsIn(path, text))
