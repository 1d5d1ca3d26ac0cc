import { expect, test } from 'vitest'
import { RequestState } from './labels/requests.ts'
import * as requestState from './requestState.ts'

const { REQUESTED, APPROVED, REJECTED, CANCELED, ALLOWED } = RequestState
const { acceptsFiles, hasFiles, isCancelable, isReleased, isUploading, isWaiting } = requestState
const PREDICATES = { isWaiting, acceptsFiles, isUploading, isCancelable, hasFiles, isReleased }

test.each([
  [REQUESTED, 0, ['acceptsFiles', 'isUploading', 'isCancelable']],
  [REQUESTED, 1, ['isWaiting', 'acceptsFiles', 'isCancelable', 'hasFiles']],
  [APPROVED, 1, ['hasFiles', 'isReleased']],
  [REJECTED, 1, ['hasFiles']],
  [CANCELED, 0, []],
  [CANCELED, 1, []],
  [ALLOWED, 0, ['acceptsFiles', 'isUploading', 'isCancelable']],
  [ALLOWED, 1, ['acceptsFiles', 'hasFiles', 'isReleased']],
] as const)('state %i with isFileUploaded %i: %j', (state, isFileUploaded, expected) => {
  const holding = Object.entries(PREDICATES).filter(([, holds]) => holds({ state, isFileUploaded }))
  expect(holding.map(([name]) => name)).toEqual(expected)
})
