// An employee with a PC whose exports need approval, and the approving manager, from `await buildExportScenario()`. The
// PC connects through a proxy, so that tests can break its connection.
import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { FileExport } from '@acc/contract/labels/policies'
import type { PolicyValues } from '@acc/contract/policyValues'
import type { OwnRequest } from '@acc/contract/requests'
import { afterAll, expect } from 'vitest'
import { accClient, openProxy } from './accClient.ts'
import { startTestApp } from './app.ts'
import { buildManager } from './build/authorities.ts'
import { buildGroups } from './build/groups.ts'
import { buildUser } from './build/users.ts'

export const MIB = 1024 * 1024
export const PASSWORD = 'Qa9!zebra-Lm'

type LocalFile = { name: string; path: string; bytes: Buffer }

/** Asserts that a folder contains exactly these files, byte for byte. */
export async function expectSaved(folder: string, files: readonly LocalFile[]): Promise<void> {
  expect((await readdir(folder)).sort()).toEqual(files.map(({ name }) => name).sort())
  for (const { name, bytes } of files) expect((await readFile(join(folder, name))).equals(bytes)).toBe(true)
}

export async function buildExportScenario(env: Record<string, string> = {}) {
  const { app, as, fetchAs, admin, baseUrl } = await startTestApp(env)
  const folder = await mkdtemp(join(tmpdir(), 'acc-client-'))
  afterAll(() => rm(folder, { recursive: true, force: true }))
  const { sales } = await buildGroups(app.db, 'sales')
  await as(admin).groups.setIsMyPolicy({ idx: sales.idx, isMyPolicy: 1 })
  const { idx: policyIdx } = await as(admin).policies.find({ ownerIdx: sales.idx, ownerType: 0 })
  const setPolicy = (values: Partial<PolicyValues>) => as(admin).policies.update({ idx: policyIdx, ...values })
  const setFileExport = (fileExport: 0 | 1 | 2) => setPolicy({ fileExport })
  await setFileExport(FileExport.APPROVAL)
  const employee = await buildUser(app.db, { group: sales, password: PASSWORD })
  const manager = as(await buildManager(app.db, { groups: [sales], fileExportApprove: 2 }))
  const proxy = await openProxy(baseUrl)
  const pc = accClient(proxy.url, folder)
  await pc.login(employee.id, PASSWORD)
  return {
    app,
    as,
    fetchAs,
    admin: as(admin),
    baseUrl,
    folder,
    sales,
    employee,
    setFileExport,
    setPolicy,
    proxy,
    pc,
    /** A file on the employee's PC. */
    async makeFile(name: string, size: number): Promise<LocalFile> {
      const bytes = randomBytes(size)
      const path = join(folder, name)
      await writeFile(path, bytes)
      return { name, path, bytes }
    },
    requestExport: (...paths: string[]) => pc.json<OwnRequest>(['request', '--purpose', '고객 전달', ...paths]),
    decide: (idx: number, state: 0 | 1) => manager.requests.decide({ idx, state, purpose: 'ok' }),
  }
}
