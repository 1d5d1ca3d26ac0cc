import { expect, test } from 'vitest'
import { RequestBlock, RequestState } from './labels/requests.ts'
import * as requestState from './requestState.ts'

const { REQUESTED, APPROVED, REJECTED, CANCELED, ALLOWED } = RequestState
const { acceptsFiles, hasFiles, isApprovable, isCancelable, isDownloadable, isReleased, isUploading, isWaiting } =
  requestState
const PREDICATES = { isWaiting, acceptsFiles, isUploading, isCancelable, hasFiles, isReleased }

test('a block stops approving and handing out in every state', () => {
  for (const state of RequestState.values) {
    const request = { state, isFileUploaded: 1, filesRemovedDT: null } as const
    const free = { ...request, block: null }
    expect([isApprovable(free), isDownloadable(free)]).toEqual([isWaiting(request), hasFiles(request)])
    for (const block of RequestBlock.values)
      expect([isApprovable({ ...request, block }), isDownloadable({ ...request, block })]).toEqual([false, false])
  }
})

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
  const holdingOf = (filesRemovedDT: string | null) =>
    Object.entries(PREDICATES)
      .filter(([, holds]) => holds({ state, isFileUploaded, filesRemovedDT }))
      .map(([name]) => name)
  expect(holdingOf(null)).toEqual(expected)
  const ofFiles = ['hasFiles', 'isReleased']
  expect(holdingOf('2030-01-01T00:00:00.000Z')).toEqual(expected.filter((name) => !ofFiles.includes(name)))
})
