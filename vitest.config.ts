import { defineConfig } from 'vitest/config'

/** The real app on a real PostgreSQL (server/test/database.ts). */
const realServer = {
  globalSetup: ['server/test/globalSetup.ts'],
  testTimeout: 60_000,
  hookTimeout: 60_000,
  expect: { poll: { timeout: 10_000 } },
  maxWorkers: 2,
}

/** Tests that cut connections of the database or of a sender. */
const BREAKING = [
  'server/src/db/locks.api.test.ts',
  'server/src/jobs/jobs.api.test.ts',
  'server/src/domains/events/events.api.test.ts',
  'server/src/domains/requests/requests.uploads.api.test.ts',
]

/**
 * `unit` needs nothing but Node; `api` calls the app in the test's own process; `process` starts real
 * processes or breaks connections.
 */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['{bundle,contract,server,desktop-client,console,tools,bench}/**/*.test.{ts,tsx}'],
          exclude: ['**/node_modules/**', 'server/**/*.api.test.ts', 'bench/data/**'],
        },
      },
      {
        test: {
          ...realServer,
          name: 'api',
          // Files share a worker's modules, which hold no state of a test: a third of the time went into loading them anew.
          isolate: false,
          include: ['server/src/**/*.api.test.ts', 'server/test/access/**/*.api.test.ts'],
          exclude: BREAKING,
        },
      },
      {
        test: {
          ...realServer,
          name: 'process',
          include: ['server/test/*.api.test.ts', ...BREAKING],
          // Processes, signals and broken connections depend on the machine: once more before a failure counts.
          retry: 1,
        },
      },
    ],
  },
})
