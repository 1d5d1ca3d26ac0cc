// The check of the lock file, on altered lock files.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '..')
const folder = mkdtempSync(join(tmpdir(), 'acc-lock-'))

function check(lock: string): { status: number | null; stdout: string } {
  const file = join(folder, 'package-lock.json')
  writeFileSync(file, lock)
  return spawnSync(process.execPath, [join(ROOT, 'scripts/dependencies.mjs'), file], { encoding: 'utf8' })
}

const GOOD = { version: '1.0.0', integrity: 'sha512-AAAA', license: 'MIT' }
const lockWith = (entry: object) =>
  JSON.stringify({ packages: { '': {}, 'node_modules/good': GOOD, 'node_modules/x': entry } })

test('the committed lock has no faults', () => {
  expect(check(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'))).toMatchObject({ status: 0 })
})

test.each([
  ['no hash', { ...GOOD, integrity: undefined }, 'no SHA-512 hash'],
  ['a weak hash', { ...GOOD, integrity: 'sha1-AAAA' }, 'no SHA-512 hash'],
  ['another host', { ...GOOD, resolved: 'https://packages.example/x.tgz' }, 'loaded from'],
  ['another license', { ...GOOD, license: 'AGPL-3.0' }, 'license AGPL-3.0'],
  ['an installation script', { ...GOOD, hasInstallScript: true }, 'an installation script'],
])('a package with %s is a fault', (_, entry, fault) => {
  const { status, stdout } = check(lockWith(entry))
  expect(status).toBe(1)
  expect(stdout).toContain(`node_modules/x: ${fault}`)
  expect(stdout).not.toContain('good')
})
