// A console configuration as a file, for ACC_CONSOLE_CONFIG; removed after the test file's last test.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'

export async function configFile(config: object): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'acc-config-'))
  afterAll(() => rm(folder, { recursive: true }))
  const file = join(folder, 'console.json')
  await writeFile(file, JSON.stringify(config))
  return file
}

/** With the approval of imports, which is off by default. */
export const withImports = () => configFile({ show: { approve: { import: true } } })
