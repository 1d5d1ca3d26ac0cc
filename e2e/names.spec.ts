// What a screen reader gets, by Chromium's own accessibility tree: every row, table, list of tabs, dialog and pane has a
// name, and no two buttons of a screen have the same name.
import type { Page } from '@playwright/test'
import { eachPart, eachScreen } from './eachScreen.ts'
import { enter } from './screens.ts'
import { expect, test } from './test.ts'

test.use({ beginning: 'demo' })

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
type Heard = {
  role: string
  name: string
  description: string
  states: ReadonlyMap<string, unknown>
  /** What contains it, the nearest first. */
  around: readonly Heard[]
}

/** Returns the accessibility tree of the page in its order. */
async function hear(page: Page): Promise<Heard[]> {
  const session = await page.context().newCDPSession(page)
  const { nodes }: { nodes: AxNode[] } = await session.send('Accessibility.getFullAXTree')
  await session.detach()
  const known = new Map<string, Heard>()
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
const isUnnamed = ({ role, name, states }: Heard) =>
  name === '' && (NAMED.includes(role) || (role === 'row' && states.get('focusable') === true))

/**
 * The heads and the pages of two tables side by side are told apart by the table and by the navigation of its pages, whose names
 * are part of what is heard.
 */
const TELLING = ['table', 'navigation']
const identity = ({ name, around }: Heard) =>
  [name, ...around.filter(({ role }) => TELLING.includes(role)).map((one) => one.name)].join(' < ')

function repeated(heard: readonly Heard[]): string[] {
  const names = heard.filter(({ role }) => ['button', 'link', 'splitter'].includes(role)).map(identity)
  return [...new Set(names.filter((name, at) => names.indexOf(name) !== at))]
}

const softly = expect.configure({ soft: true })

async function expectNames(page: Page, where: string): Promise<void> {
  const heard = await hear(page)
  softly(
    heard.filter(isUnnamed).map(({ role }) => role),
    `without a name: ${where}`,
  ).toEqual([])
  softly(repeated(heard), `the same name twice: ${where}`).toEqual([])
  const doubled = heard.filter(
    ({ role, name, description }) => role === 'switch' && description && name.includes(description),
  )
  softly(
    doubled.map(({ name }) => name),
    `read twice: ${where}`,
  ).toEqual([])
  // The title of the screen and of its menu have no region of their own.
  const panes = heard.filter(({ role, states }) => role === 'heading' && states.get('level') === 2)
  const lost = panes.filter(({ around }) => !around.some(({ role, name }) => PLACES.includes(role) && name !== ''))
  softly(
    lost.map(({ name }) => name),
    `headings outside of a named pane: ${where}`,
  ).toEqual([])
}
const PLACES = ['region', 'navigation', 'dialog', 'tabpanel', 'form']

test('everything on every screen has a name of its own', async ({ page }) => {
  test.setTimeout(240_000)
  await enter(page)
  await eachScreen(page, (title) => eachPart(page, (part) => expectNames(page, `${title} ${part}`)))
  await page.getByRole('button', { name: '내 권한' }).click()
  await expect(page.getByRole('dialog').getByRole('table')).toBeVisible()
  await expectNames(page, 'my authority')
})
