// What axe finds on a page: faults of accessibility, best practices included.
import type { Page } from '@playwright/test'
import axe from 'axe-core'

/** Returns the faults by all rules or by these, each with the first elements that have it. */
export async function findFaults(page: Page, rules?: string[]): Promise<string[][]> {
  // Once for each page that is loaded: reading the script takes as long as using it.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  return page.evaluate(async (only) => {
    const { violations } = await axe.run({ resultTypes: ['violations'], ...(only && { runOnly: only }) })
    return (
      violations
        // An open list is at the end of the page; its field names it.
        .filter(({ id, nodes }) => id !== 'region' || nodes.some(({ html }) => !html.includes('role="presentation"')))
        .map(({ id, nodes }) => [
          id,
          ...nodes.slice(0, 3).map(({ html, failureSummary }) => `${html} ${failureSummary}`),
        ])
    )
  }, rules)
}
