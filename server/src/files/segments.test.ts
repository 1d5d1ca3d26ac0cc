import { createSecretKey } from 'node:crypto'
import { expect, test } from 'vitest'
import { bytesOf } from './fileStore.fixture.ts'
import { NO_TAG, openSegment, type Place, SEGMENT, sealedLength, sealSegment, segmentCount } from './segments.ts'

const key = createSecretKey(Buffer.alloc(32, 1))
const place: Place = { index: 4, last: false, previousTag: Buffer.alloc(16, 5) }
const sealed = (at: Place, bytes: Buffer) => Buffer.concat(sealSegment(key, at, bytes).parts)

test('a segment opens in its own place only', () => {
  const bytes = bytesOf(100)
  const one = sealed(place, bytes)
  expect(openSegment(key, place, one)).toEqual(bytes)
  const others: Place[] = [
    { ...place, index: 5 },
    { ...place, index: 4 + 2 ** 32 },
    { ...place, last: true },
    { ...place, previousTag: NO_TAG },
  ]
  for (const other of others) expect(openSegment(key, other, one)).toBeUndefined()
  expect(openSegment(createSecretKey(Buffer.alloc(32, 2)), place, one)).toBeUndefined()
  for (const length of [0, 27, 28, one.length - 1])
    expect(openSegment(key, place, one.subarray(0, length))).toBeUndefined()
})

test('a segment sealed again has another nonce: bytes that are sent anew never meet the old key stream', () => {
  const nonces = Array.from({ length: 100 }, () => sealed(place, bytesOf(1)).toString('hex', 0, 12))
  expect(new Set(nonces).size).toBe(100)
})

test('the length on disk follows from the size: 28 bytes for each begun segment, and one even for an empty file', () => {
  const sizes = [0, 1, SEGMENT, SEGMENT + 1]
  expect(sizes.map(segmentCount)).toEqual([1, 1, 1, 2])
  expect(sizes.map(sealedLength)).toEqual([28, 29, SEGMENT + 28, SEGMENT + 57])
})
