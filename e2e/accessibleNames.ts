// Chromium's own accessibility tree of a page, and the names that it must have.
import { expect, type Page } from '@playwright/test'

type AxValue = { value?: unknown }
type AxNode = {
  nodeId: string
  parentId?: string
  ignored: boolean
  role?: AxValue
  name?: AxValue
  description?: AxValue
  properties?: { name: string; value: AxValue }[]
}
type AccessibleNode = {
  role: string
  name: string
  description: string
  states: ReadonlyMap<string, unknown>
  /** What contains it, the nearest first. */
  around: readonly AccessibleNode[]
}

/** Returns the accessibility tree of the page in its order. */
export async function readAccessibleTree(page: Page): Promise<AccessibleNode[]> {
  const session = await page.context().newCDPSession(page)
  const { nodes }: { nodes: AxNode[] } = await session.send('Accessibility.getFullAXTree')
  await session.detach()
  const known = new Map<string, AccessibleNode>()
  const text = (value: AxValue | undefined) => String(value?.value ?? '').trim()
  for (const { nodeId, parentId = '', ...node } of nodes) {
    const parent = known.get(parentId)
    known.set(nodeId, {
      role: node.ignored ? '' : text(node.role),
      name: text(node.name),
      description: text(node.description),
      states: new Map(node.properties?.map(({ name, value }) => [name, value.value])),
      around: parent === undefined ? [] : [parent, ...parent.around],
    })
  }
  return [...known.values()].filter(({ role }) => role !== '')
}

const NAMED = [
  ...['table', 'grid', 'treegrid', 'tree', 'tablist', 'tab', 'tabpanel', 'dialog', 'alertdialog', 'region'],
  ...['navigation', 'complementary', 'button', 'link', 'textbox', 'searchbox', 'combobox', 'spinbutton', 'checkbox'],
  ...['radio', 'radiogroup', 'switch', 'menuitem', 'listbox', 'splitter', 'treeitem'],
]
const isUnnamed = ({ role, name, states }: AccessibleNode) =>
  name === '' && (NAMED.includes(role) || (role === 'row' && states.get('focusable') === true))

/** Two tables on a screen may have the same heads and pages: their names belong to those of the buttons. */
const CONTEXT = ['table', 'navigation']
const identity = ({ name, around }: AccessibleNode) =>
  [name, ...around.filter(({ role }) => CONTEXT.includes(role)).map((one) => one.name)].join(' < ')

function repeated(nodes: readonly AccessibleNode[]): string[] {
  const names = nodes.filter(({ role }) => ['button', 'link', 'splitter'].includes(role)).map(identity)
  return [...new Set(names.filter((name, at) => names.indexOf(name) !== at))]
}

const softly = expect.configure({ soft: true })

/** Expects that rows, tables, lists of tabs, dialogs and panes have names, and no two buttons the same one. */
export async function expectNames(page: Page, where: string): Promise<void> {
  const nodes = await readAccessibleTree(page)
  softly(
    nodes.filter(isUnnamed).map(({ role }) => role),
    `without a name: ${where}`,
  ).toEqual([])
  // Areas that scroll by keys.
  await softly(page.locator('div[tabindex="0"]:not([role])'), `focused without a role: ${where}`).toHaveCount(0)
  softly(repeated(nodes), `the same name twice: ${where}`).toEqual([])
  const doubled = nodes.filter(
    ({ role, name, description }) => role === 'switch' && description && name.includes(description),
  )
  softly(
    doubled.map(({ name }) => name),
    `read twice: ${where}`,
  ).toEqual([])
  // The title of the screen and of its menu have no region of their own.
  const panes = nodes.filter(({ role, states }) => role === 'heading' && states.get('level') === 2)
  const lost = panes.filter(({ around }) => !around.some(({ role, name }) => PLACES.includes(role) && name !== ''))
  softly(
    lost.map(({ name }) => name),
    `headings outside of a named pane: ${where}`,
  ).toEqual([])
}
const PLACES = ['region', 'navigation', 'dialog', 'tabpanel', 'form']

/** Returns the name of the first element of a role whose name begins so. */
export const nameOf = async (page: Page, role: string, start: string) =>
  (await readAccessibleTree(page)).find((one) => one.role === role && one.name.startsWith(start))?.name
