import { expect, test } from 'vitest'
import { approvalStatus } from './approvalStatus.ts'

test.each([
  [{ state: 0, isFileUploaded: 1 }, 'waiting'],
  [{ state: 0, isFileUploaded: 0 }, 'uploading'],
  [{ state: 1, isFileUploaded: 1 }, 'approved'],
  [{ state: 2, isFileUploaded: 1 }, 'rejected'],
  [{ state: 3, isFileUploaded: 0 }, 'canceled'],
  [{ state: 4, isFileUploaded: 1 }, 'allowed'],
] as const)('%o reads %s', (request, word) => {
  expect(approvalStatus(request).word).toBe(word)
})
