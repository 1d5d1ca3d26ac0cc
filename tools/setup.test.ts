// The options of `npm start`. A server that starts nevertheless ends with its setting.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'

function start(...options: string[]) {
  const setup = join(import.meta.dirname, '../scripts/setup.mjs')
  const env = { ...process.env, ACC_PORT: 'none' }
  return spawnSync(process.execPath, [setup, 'start', ...options], { env, encoding: 'utf8', timeout: 20_000 })
}

const OPTIONS = expect.stringMatching(/--demo .*\n.*--help /)

test('--help prints the options and starts nothing', () => {
  expect(start('--help')).toMatchObject({ status: 0, stdout: OPTIONS, stderr: '' })
  expect(start('--demo', '--help')).toMatchObject({ status: 0, stdout: OPTIONS, stderr: '' })
})

test.each(['--hlep', 'demo', '--demo=1', '-h'])('%s is no option', (option) => {
  const result = start('--demo', option)
  expect(result).toMatchObject({ status: 1, stdout: '', stderr: OPTIONS })
  expect(result.stderr).toContain(`There is no option ${option}.`)
})
