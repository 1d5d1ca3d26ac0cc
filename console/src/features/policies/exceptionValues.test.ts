import { ExceptionType } from '@acc/contract/labels/policies'
import { MAX_EXCEPTIONS, type NetworkException, targetText } from '@acc/contract/policyExceptions'
import { expect, test } from 'vitest'
import {
  isEdited,
  isFull,
  listDifference,
  loopbackFaults,
  loopbackOf,
  NEW_LOOPBACK,
  NEW_NETWORK,
  networkFaults,
  networkOf,
  newIdx,
  valuesOfNetwork,
  withRow,
} from './exceptionValues.ts'

const { DOMAIN, IP_RANGE, SUBNET } = ExceptionType
const lab: NetworkException = {
  idx: 5,
  description: 'Lab',
  type: IP_RANGE,
  ip1: '10.0.0.1',
  ip2: '10.0.0.9',
  port: 0,
  access: 1,
}
const typed = { ...NEW_NETWORK, description: 'x', ip: '10.0.0.1', lastIp: '10.0.0.1' }
const faultsOf = (values: object, others: NetworkException[] = []) =>
  networkFaults(networkOf(-1, { ...typed, ...values }), others)

test('a new exception is one address on all ports, allowed', () => {
  expect(networkOf(-1, typed)).toEqual({
    idx: -1,
    description: 'x',
    type: IP_RANGE,
    ip1: '10.0.0.1',
    ip2: '10.0.0.1',
    port: 0,
    access: 1,
  })
  expect(faultsOf({})).toEqual({})
})

test.each([
  [NEW_NETWORK, { description: 'required', ip: 'required', lastIp: 'required' }],
  [{ description: 'x'.repeat(31) }, { description: 'tooLong' }],
  [{ description: 'a\u202eb' }, { description: 'characters' }],
  [{ ip: '10.0.0.300' }, { ip: 'ip' }],
  [{ lastIp: '10.0.0' }, { lastIp: 'ip' }],
  [{ ip: '10.0.0.2' }, { lastIp: 'range' }],
  [
    { ip: '10.0.0.2', port: '70000' },
    { lastIp: 'range', port: 'port' },
  ],
  [{ type: SUBNET }, {}],
  [{ type: SUBNET, mask: '' }, { mask: 'required' }],
  [{ type: SUBNET, mask: '255.0.255.0' }, { mask: 'mask' }],
  [{ type: SUBNET, mask: '255.255.255' }, { mask: 'ip' }],
  [{ type: DOMAIN }, { domain: 'required' }],
  [{ type: DOMAIN, domain: 'https://a.com' }, { domain: 'domain' }],
  [{ type: DOMAIN, domain: ' A.com ' }, {}],
  [{ type: DOMAIN, domain: `${'a.'.repeat(50)}com` }, { domain: 'tooLong' }],
  [{ port: '' }, { port: 'port' }],
  [{ port: '65536' }, { port: 'port' }],
  [{ port: '4*' }, { port: 'port' }],
  [{ port: ' 65535 ' }, {}],
])('%j: %j', (values, faults) => {
  expect(faultsOf(values)).toEqual(faults)
})

test('duplicates are found by what they cover, and a row is not its own duplicate', () => {
  expect(faultsOf({ lastIp: '10.0.0.9' }, [lab])).toEqual({ ip: 'duplicate' })
  expect(faultsOf({ lastIp: '10.0.0.9', port: '80' }, [lab])).toEqual({})
  expect(networkFaults(networkOf(5, { ...typed, lastIp: '10.0.0.9' }), [lab])).toEqual({})
  const domain = { ...lab, type: DOMAIN, ip1: 'a.com', ip2: '' }
  expect(faultsOf({ type: DOMAIN, domain: 'A.COM' }, [domain])).toEqual({ domain: 'duplicate' })
  const process = { idx: 2, description: 'x', processName: 'Chrome.exe' }
  const faults = (values: object, idx = -1) =>
    loopbackFaults(loopbackOf(idx, { ...NEW_LOOPBACK, ...values }), [process])
  expect(faults({})).toEqual({ description: 'required', processName: 'required' })
  expect(faults({ description: 'x', processName: 'chrome.EXE' })).toEqual({ processName: 'duplicate' })
  expect(faults({ description: 'x', processName: 'chrome.EXE' }, 2)).toEqual({})
  expect(faults({ description: 'x', processName: 'C:\\a.exe' })).toEqual({ processName: 'process' })
  expect(faults({ description: 'x', processName: 'x'.repeat(31) })).toEqual({ processName: 'tooLong' })
})

test.each([
  lab,
  { ...lab, type: SUBNET, ip2: '255.255.255.0', port: 443 },
  { ...lab, type: DOMAIN, ip1: 'a.com', ip2: '' },
])('a stored exception comes back from the dialog unchanged: $type', (row) => {
  expect(networkOf(row.idx, valuesOfNetwork(row))).toEqual(row)
})

test('targets in words', () => {
  expect(targetText(lab)).toBe('10.0.0.1 – 10.0.0.9')
  expect(targetText({ ...lab, ip2: '10.0.0.1' })).toBe('10.0.0.1')
  expect(targetText({ ...lab, type: SUBNET, ip2: '255.255.0.0' })).toBe('10.0.0.1 / 255.255.0.0')
  expect(targetText({ ...lab, type: DOMAIN, ip1: '*.a.com', ip2: '' })).toBe('*.a.com')
})

test('rows are added under a new negative idx, or replaced', () => {
  expect(newIdx([])).toBe(-1)
  expect(newIdx([{ idx: 4 }, { idx: -3 }])).toBe(-4)
  const added = withRow([lab], { ...lab, idx: -1 })
  expect(added.map(({ idx }) => idx)).toEqual([5, -1])
  expect(withRow(added, { ...lab, port: 1 })).toEqual([
    { ...lab, port: 1 },
    { ...lab, idx: -1 },
  ])
  expect([isEdited(lab, [lab]), isEdited({ ...lab, port: 1 }, [lab]), isEdited({ ...lab, idx: -1 }, [lab])]).toEqual([
    false,
    true,
    true,
  ])
  const rows = (length: number) => Array.from({ length }, (_, at) => ({ idx: at + 1 }))
  expect([isFull(rows(MAX_EXCEPTIONS - 1)), isFull(rows(MAX_EXCEPTIONS))]).toEqual([false, true])
})

test('lists are compared by their contents, not by their idxes', () => {
  const [one, other] = [lab, { ...lab, idx: 6, port: 80 }]
  expect(listDifference([one], [{ ...one, idx: 99 }])).toEqual({ removed: [], added: [] })
  expect(listDifference([one], [{ ...other, idx: 7 }])).toEqual({ removed: [one], added: [{ ...other, idx: 7 }] })
})
