// Every spec imports this instead of Playwright's own: `import { expect, test } from './test.ts'`. Each worker has a
// server. A test fails if a page reported an error (an exception, a refused style, a broken response).
import { type BrowserContext, test as base, expect, type Page } from '@playwright/test'
import { type Smtp, startSmtpServer } from '../server/src/mail/smtp.fixture.ts'
import { type AccServer, type InitialState, type Operator, startAcc } from './accServer.ts'

type WorkerFixtures = {
  beginning: InitialState
  operator: Operator
  server: AccServer
  /** A mail server, for those that ask for one. */
  smtp: Smtp
}
type Fixtures = {
  /** Another person's browser. */
  anotherPage: () => Promise<Page>
  /** Reports of pages with their places. A test that provokes a report empties the list. */
  faults: string[]
}

/** Violations that a script catches reach neither the console nor the page; here they are written to the console. */
const logViolations = (context: BrowserContext): Promise<unknown> =>
  context.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI, sourceFile }) => {
      console.error(`CSP: ${effectiveDirective} refuses ${blockedURI} of ${sourceFile}`)
    })
  })

async function recordFaults(context: BrowserContext, faults: string[]): Promise<void> {
  await logViolations(context)
  context.on('weberror', (fault) => faults.push(`exception: ${fault.error().stack ?? fault.error().message}`))
  context.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning')
      faults.push(`${message.type()}: ${message.text()} (${message.location().url})`)
  })
}

export const test = base.extend<Fixtures, WorkerFixtures>({
  beginning: ['evaluation', { option: true, scope: 'worker' }],
  operator: [{}, { option: true, scope: 'worker' }],
  server: [
    async ({ beginning, operator }, use) => {
      const server = await startAcc(beginning, operator)
      await use(server)
      await server.stop()
    },
    { scope: 'worker', timeout: 90_000 },
  ],
  smtp: [
    async ({ beginning: _ }, use) => {
      const smtp = await startSmtpServer()
      await use(smtp)
      await smtp.stop()
    },
    { scope: 'worker' },
  ],
  baseURL: ({ server }, use) => use(server.baseUrl),
  faults: [
    async ({ context }, use) => {
      const faults: string[] = []
      await recordFaults(context, faults)
      await use(faults)
      expect(faults, 'what the pages reported').toEqual([])
    },
    { auto: true },
  ],
  anotherPage: async ({ browser, contextOptions, faults }, use) => {
    const contexts: BrowserContext[] = []
    await use(async () => {
      const context = await browser.newContext(contextOptions)
      contexts.push(context)
      await recordFaults(context, faults)
      return context.newPage()
    })
    for (const context of contexts) await context.close()
  },
})

/** Tests of one file on a server of their own, for those that leave behind what the tests of other files would meet. */
export const testOnOwnServer = () =>
  test.extend<object, object>({
    operator: [async ({ beginning: _ }, use) => use({}), { scope: 'worker' }],
  })

/** What an operator sets who has all mail sent by that server. */
export const mailBy = ({ settings }: Smtp): Record<string, string> => ({
  ACC_MAIL_URL: `smtp://127.0.0.1:${settings.serverPort}?from=acc@example.com&encrypt=none`,
})

export { expect }
