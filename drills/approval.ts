// Long runs of two tests of approvals: random operations compared with a model, and a simulated year.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { check } from './checks.ts'
import type { Drill } from './drill.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** Runs a test of the project `api`, which prints its figures. */
async function runTest(drill: Drill, test: string, settings: Record<string, string>): Promise<void> {
  const args = ['node_modules/vitest/vitest.mjs', 'run', '--project', 'api', test]
  const child = spawn(process.execPath, args, { cwd: ROOT, stdio: 'inherit', env: { ...process.env, ...settings } })
  drill.atEnd(async () => void child.kill())
  const [status] = await once(child, 'exit')
  check(status === 0, `${test} with ${JSON.stringify(settings)}`)
}

export const drillApproval = (drill: Drill, interleavings = '10000'): Promise<void> =>
  runTest(drill, 'requests.model', { ACC_TEST_INTERLEAVINGS: interleavings })

export const drillYear = (drill: Drill, people = '1000'): Promise<void> =>
  runTest(drill, 'requests.year', { ACC_TEST_DAYS: '365', ACC_TEST_PEOPLE: people })
