// What axe finds on a page: faults of accessibility, best practices included.
import type { Page } from '@playwright/test'
import axe from 'axe-core'

/** Rows of a table are alike, and the first ones stand for the others: axe looks at all that is shown. */
const ALIKE = 'tbody tr:nth-child(n+6)'

/** Returns the faults of the page or of a part, by all rules or by these, each with the first elements that have it. */
export async function findFaults(page: Page, rules?: string[], part = 'html'): Promise<string[][]> {
  // Once for each page that is loaded: reading the script takes as long as using it.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  return page.evaluate(
    async ({ only, part, alike }) => {
      const hidden = [...document.querySelectorAll<HTMLElement>(alike)]
      for (const { style } of hidden) style.display = 'none'
      const { violations } = await axe.run(part, { resultTypes: ['violations'], ...(only && { runOnly: only }) })
      for (const { style } of hidden) style.removeProperty('display')
      return (
        violations
          // An open list is at the end of the page; its field names it.
          .filter(({ id, nodes }) => id !== 'region' || nodes.some(({ html }) => !html.includes('role="presentation"')))
          .map(({ id, nodes }) => [
            id,
            ...nodes.slice(0, 3).map(({ html, failureSummary }) => `${html} ${failureSummary}`),
          ])
      )
    },
    { only: rules, part, alike: ALIKE },
  )
}
