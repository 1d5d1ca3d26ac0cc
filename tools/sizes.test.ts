// Limits of files and functions (CONTRIBUTING.md), without exceptions.

import { expect, test } from 'vitest'
import { parseAst } from 'vitest/node'
import { isTest, read, sources } from './sources.ts'

const FUNCTION = 60
/** A component's function is mostly markup, without branches. */
const COMPONENT = 120
const ARCHITECTURE = 120

/** The first match counts. */
const LIMITS: [RegExp, number][] = [
  [/\.(test|spec)\.tsx?$/, 500],
  [/^contract\/src\//, 250],
  [/\.routes\.ts$/, 150],
  [/Screen\.tsx$/, 200],
  [/\.tsx$/, 250],
  [/./, 300],
]

const lineCount = (text: string) => text.trimEnd().split('\n').length

test('no file is longer than its kind may be', () => {
  const tooLong = sources().flatMap(({ path, text }) => {
    const limit = LIMITS.find(([kind]) => kind.test(path))?.[1] ?? 0
    const lines = lineCount(text)
    return lines > limit ? [`${path}: ${lines} lines, at most ${limit}`] : []
  })
  expect(tooLong).toEqual([])
})

type Node = { type: string; start: number; end: number }

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value

/** Calls `visit` with every node of a source and the nodes around it, the innermost first. */
function walk(text: string, lang: 'ts' | 'tsx', visit: (node: Node, around: readonly Node[]) => void): void {
  const step = (value: unknown, around: readonly Node[]): void => {
    if (Array.isArray(value)) for (const item of value) step(item, around)
    if (!isNode(value)) return
    visit(value, around)
    for (const child of Object.values(value)) step(child, [value, ...around])
  }
  step(parseAst(text, { lang }), [])
}

test(`no function is longer than ${FUNCTION} lines, no component's than ${COMPONENT}`, () => {
  const tooLong = sources()
    .filter(({ path }) => !isTest(path))
    .flatMap(({ path, text }) =>
      functionsIn(text, path.endsWith('x') ? 'tsx' : 'ts')
        .filter(({ lines, isComponent }) => lines > (isComponent ? COMPONENT : FUNCTION))
        .map(({ start, lines }) => `${path}:${lineCount(text.slice(0, start + 1))}: ${lines} lines`),
    )
  expect(tooLong).toEqual([])
})

test('ARCHITECTURE.md is short', () => {
  expect(lineCount(read('ARCHITECTURE.md'))).toBeLessThanOrEqual(ARCHITECTURE)
})

type NamedNode = Node & { id?: { name?: string } | null }
type FunctionSize = { start: number; lines: number; isComponent: boolean }

/** Returns where each function of a text begins and its number of lines. */
function functionsIn(text: string, lang: 'ts' | 'tsx'): FunctionSize[] {
  const found: FunctionSize[] = []
  walk(text, lang, (node: NamedNode) => {
    if (!/^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(node.type)) return
    const isComponent = lang === 'tsx' && /^[A-Z]/.test(node.id?.name ?? '')
    found.push({ start: node.start, lines: lineCount(text.slice(node.start, node.end)), isComponent })
  })
  return found
}
