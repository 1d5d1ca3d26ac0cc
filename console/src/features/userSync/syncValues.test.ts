import { SyncKind } from '@acc/contract/labels/userImports'
import { SyncInput } from '@acc/contract/userSync'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { countCertificates, inputOf, localHours, localTime, PRESETS, readCertificates, valuesOf } from './syncValues.ts'

beforeAll(() => void vi.stubEnv('TZ', 'Asia/Seoul'))
afterAll(() => void vi.unstubAllEnvs())

test.each(['ad', 'openLdap'] as const)('the defaults of %s, with address and base, are a valid source', (name) => {
  const values = { ...valuesOf(null), kind: SyncKind.DIRECTORY, ...PRESETS[name] }
  const read = SyncInput.safeParse(inputOf({ ...values, serverAddress: 'ldap.example.com', base: 'dc=example,dc=com' }))
  expect(read.error?.issues).toBeUndefined()
  // The stored password is kept.
  expect(read.data?.directory).not.toHaveProperty('bindPw')
  const missing = SyncInput.safeParse(inputOf(values)).error?.issues.map(({ path }) => path.at(-1))
  expect(new Set(missing)).toEqual(new Set(['serverAddress', 'base']))
})

test('hours are chosen in local time', () => {
  expect(localTime(18)).toBe('03:00')
  expect(localHours()[0]).toEqual({ hour: 15, time: '00:00' })
  vi.stubEnv('TZ', 'Asia/Kolkata')
  expect(localTime(18)).toBe('23:30')
  expect(new Set(localHours().map(({ hour }) => hour)).size).toBe(24)
  vi.stubEnv('TZ', 'Asia/Seoul')
})

test('certificates are read from PEM with comments and from DER', () => {
  const pem = '-----BEGIN CERTIFICATE-----\r\nMIIB\r\n-----END CERTIFICATE-----'
  const two = readCertificates(new TextEncoder().encode(`subject=CN=회사\n${pem}\n\n${pem}\n`)) ?? ''
  expect(countCertificates(two)).toBe(2)
  expect(two).not.toContain('subject')
  expect(readCertificates(new Uint8Array([0x30, 0x82, 1, 2]))).toContain('MIIBAg==')
  expect(readCertificates(new TextEncoder().encode('a text'))).toBeUndefined()
})
