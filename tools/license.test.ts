// The vendor's script of licenses, as a process.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { COMPILED } from '../server/test/process.ts'

const folder = mkdtempSync(join(tmpdir(), 'acc-license-'))
afterAll(() => rmSync(folder, { recursive: true }))
const [key, license, altered] = ['vendor.pem', 'license.json', 'altered.json'].map((name) => join(folder, name)) as [
  string,
  string,
  string,
]
const env = { ...process.env, NODE_COMPILE_CACHE: COMPILED }
function run(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(import.meta.dirname, 'license.ts'), ...args], {
    env,
    encoding: 'utf8',
  })
  return { status, output: stdout, errors: stderr }
}

const made = run('keygen', '--out', key)
const publicKey = /ACC_LICENSE_PUBLIC_KEY=(\S+)/.exec(made.output)?.[1] ?? ''
const terms = ['--licensee', '한빛전자', '--count', '25', '--expiry', '2099-12-31']

test('keygen writes the private key for its owner only, and replaces no file', () => {
  expect(made).toMatchObject({ status: 0, errors: '' })
  expect(made.output).not.toContain('PRIVATE')
  expect(statSync(key).mode & 0o777).toBe(0o600)
  const before = readFileSync(key, 'utf8')
  expect(run('keygen', '--out', key)).toEqual({
    status: 1,
    output: '',
    errors: `${key}: this file exists already, and is not replaced\n`,
  })
  expect(readFileSync(key, 'utf8')).toBe(before)
})

test('a license is issued, shown, and refused with another byte or another key', () => {
  expect(run('issue', '--key', key, ...terms, '--out', license)).toMatchObject({ status: 0, errors: '' })
  const shown = run('show', license, '--public-key', publicKey)
  expect(shown).toMatchObject({ status: 0, errors: '' })
  expect(shown.output).toMatch(/the signature is valid\n {2}Licensee {2}한빛전자\n {2}PCs {7}25\n[\s\S]*2099-12-31/)
  writeFileSync(altered, readFileSync(license, 'utf8').replace('25', '26'))
  const other = Buffer.alloc(32, 1).toString('base64')
  for (const args of [
    [altered, '--public-key', publicKey],
    [license, '--public-key', other],
  ])
    expect(run('show', ...args)).toMatchObject({ status: 1, errors: expect.stringContaining('does not match') })
})

const ISSUE = ['issue', '--key', key, '--out', join(folder, 'none.json')]
test.each([
  [[...ISSUE, '--licensee', 'x', '--count', '0'], 2, '--count takes'],
  [[...ISSUE, '--licensee', 'x', '--count', '1', '--expiry', '2026-02-30'], 2, '--expiry takes'],
  [['issue', ...terms, '--out', license], 2, 'Missing --key'],
  [['issue', '--key', join(folder, 'none'), ...terms, '--out', license], 1, 'there is no such file'],
  [['issue', '--key', import.meta.filename, ...terms, '--out', license], 1, 'others may read the private key'],
  [['show', key, '--public-key', publicKey], 1, 'not a license file'],
  [['show', license, '--public-key', 'x'], 2, '--public-key takes'],
  [['show'], 2, 'Missing FILE'],
  [['sohw', 'x'], 2, 'is it "show"?'],
])('%j ends with a line that says why', (args, status, line) => {
  const outcome = run(...args)
  expect(outcome).toMatchObject({ status, output: '' })
  expect(outcome.errors).toContain(line)
  expect(outcome.errors.trim().split('\n')).toHaveLength(1)
})
