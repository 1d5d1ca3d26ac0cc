import { defineConfig } from 'vitest/config'

/** The real app on a real PostgreSQL (server/test/database.ts). */
const realServer = {
  globalSetup: ['server/test/globalSetup.ts'],
  testTimeout: 120_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 10_000 } },
  // Twice as many as a small machine has cores: tests also wait for the database, other processes and timers.
  maxWorkers: 4,
  // Files share a worker's modules, which hold no state of a test. Loading them anew took a third of the time.
  isolate: false,
}

/** Tests that cut connections of the database or of a sender, or measure the processor time of their process. */
const ALONE = [
  'server/src/domains/credentials/customRules.api.test.ts',
  'server/src/db/locks.api.test.ts',
  'server/src/jobs/jobs.api.test.ts',
  'server/src/domains/events/events.api.test.ts',
  'server/src/domains/requests/requests.uploads.api.test.ts',
]

/** What these test counts on each node, or is refused by a proxy before a node sees it. */
const OF_ONE_NODE = ['limits', 'connections'].map((name) => `server/src/http/${name}.api.test.ts`)
/** Two instances behind HAProxy in place of one (server/test/pair.ts). */
const isPair = process.env.ACC_TEST_PAIR === '1'

/**
 * `unit` needs nothing but Node; `api` calls the app in the test's own process; `process` starts real
 * processes, breaks connections or measures.
 */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          // Some parse every source: a busy machine takes more than the usual 5 s for it.
          testTimeout: 30_000,
          isolate: false,
          // Some start programs or a database, and wait for them.
          maxWorkers: 4,
          include: ['{bundle,contract,server,desktop-client,console,tools}/**/*.test.{ts,tsx}'],
          exclude: ['**/node_modules/**', 'server/**/*.api.test.ts'],
        },
      },
      {
        test: {
          ...realServer,
          name: 'api',
          // Projects with other numbers of workers run one after the other.
          sequence: { groupOrder: 1 },
          include: ['server/src/**/*.api.test.ts', 'server/test/access/**/*.api.test.ts'],
          exclude: [...ALONE, ...(isPair ? OF_ONE_NODE : [])],
        },
      },
      {
        test: {
          ...realServer,
          name: 'process',
          sequence: { groupOrder: 2 },
          include: ['server/test/*.api.test.ts', ...ALONE],
        },
      },
    ],
  },
})
