import { defineConfig } from 'vitest/config'

/** Two projects: `unit` needs nothing but Node; `api` runs the real app on a real PostgreSQL (server/test/database.ts). */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['{contract,server,desktop-client,console,tools}/**/*.test.{ts,tsx}'],
          exclude: ['**/node_modules/**', 'server/**/*.api.test.ts'],
        },
      },
      {
        test: {
          name: 'api',
          include: ['server/**/*.api.test.ts'],
          globalSetup: ['server/test/globalSetup.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          expect: { poll: { timeout: 10_000 } },
          maxWorkers: 2,
          // Tests of real processes and of what happens at once: once more before a failure counts.
          retry: 1,
        },
      },
    ],
  },
})
