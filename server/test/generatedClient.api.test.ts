// A typed client that an outside tool generates from /Docs/openapi.json compiles in strict mode and does the main job.
import { execFile } from 'node:child_process'
import { copyFile, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { RequestState } from '@acc/contract/labels/requests'
import openapiTS, { astToString } from 'openapi-typescript'
import { afterAll, expect, test } from 'vitest'
import { ADMIN_PASSWORD, startTestApp } from './app.ts'
import { buildUser } from './build/users.ts'

const ROOT = dirname(dirname(import.meta.dirname))
const PASSWORD = 'Qa9!zebra-Lm'
const COMPILER = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc')
const OPTIONS =
  '--strict --noEmit --skipLibCheck --allowImportingTsExtensions --module nodenext --target es2024 --types node'

const { app, baseUrl } = await startTestApp()
const folder = await mkdtemp(join(tmpdir(), 'acc-generated-'))
afterAll(() => rm(folder, { recursive: true }))

/** Runs a program with Node in the folder of the generated client; returns its output, with the errors behind it. */
const runNode = (args: string[], env: Record<string, string> = {}) =>
  new Promise<{ isDone: boolean; output: string }>((resolve) =>
    execFile(process.execPath, args, { cwd: folder, env }, (error, stdout, stderr) =>
      resolve({ isDone: error === null, output: stdout + stderr }),
    ),
  )

test('a client generated from the document does the main job', async () => {
  const document = await (await fetch(`${baseUrl}/Docs/openapi.json`)).text()
  await writeFile(join(folder, 'schema.ts'), astToString(await openapiTS(document)))
  await copyFile(join(import.meta.dirname, 'generatedClient', 'job.ts'), join(folder, 'job.ts'))
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  expect(await runNode([COMPILER, ...OPTIONS.split(' '), 'job.ts'])).toEqual({ isDone: true, output: '' })

  const employee = await buildUser(app.db, { password: PASSWORD })
  const env = { BASE_URL: baseUrl, ADMIN_PASSWORD, EMPLOYEE: employee.id, EMPLOYEE_PASSWORD: PASSWORD }
  const { output } = await runNode(['job.ts'], env)
  expect(output).toContain('approved by a generated client')
  const stored = await app.db.read
    .selectFrom('fileEximports')
    .select(['requesterIdx', 'state', 'requestPurpose'])
    .execute()
  expect(stored).toEqual([
    { requesterIdx: employee.idx, state: RequestState.APPROVED, requestPurpose: 'for the customer' },
  ])
})
