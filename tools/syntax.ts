// The syntax tree of a source file, for the tests and drills that look at more than its lines.
import { parseAst } from 'vitest/node'

export type Node = { type: string; start: number; end: number }

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value

/** Calls `visit` with every node of a source and the nodes around it, the innermost first. */
export function walk(text: string, lang: 'ts' | 'tsx', visit: (node: Node, around: readonly Node[]) => void): void {
  const step = (value: unknown, around: readonly Node[]): void => {
    if (Array.isArray(value)) for (const item of value) step(item, around)
    if (!isNode(value)) return
    visit(value, around)
    for (const child of Object.values(value)) step(child, [value, ...around])
  }
  step(parseAst(text, { lang }), [])
}
