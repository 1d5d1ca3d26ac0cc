// Matching local files to those of a request, and the text of a request.
import { RequestBlock } from '@acc/contract/labels/requests'
import type { OwnRequest } from '@acc/contract/requests'
import { expect, test } from 'vitest'
import type { LocalFile } from './localFiles.ts'
import { listLines, pairUp, requestLines } from './requests.ts'
import { TEXTS } from './texts.ts'
import type { RequestFile } from './upload.ts'

const local = (name: string, sha256: string, size = 10): LocalFile => ({
  path: `/home/${name}`,
  name,
  size,
  sha256,
  mark: '',
})
const remote = (idx: number, fileName: string, sha256: string, isUploaded: 0 | 1 = 0): RequestFile => ({
  idx,
  fileName,
  sha256,
  fileSize: 10,
  received: isUploaded * 10,
  isUploaded,
  downloads: 0,
})
const REQUEST: OwnRequest = {
  idx: 12,
  type: 1,
  state: 0,
  requestDT: '2026-01-31T00:30:00.000Z',
  approveDT: null,
  approverName: null,
  requestPurpose: '고객 전달',
  approvePurpose: null,
  isFileUploaded: 0,
  filesRemovedDT: null,
  block: null,
  step: 1,
  stepCount: 1,
  expiryDT: null,
  urgentReason: null,
  reviewDueDT: null,
  deciders: null,
  maxDownloads: null,
  downloadEndDT: null,
  fileCount: 2,
  fileSize: 20,
  files: [remote(1, 'a.txt', 'A', 1), remote(2, 'b.txt', 'B')],
}

test('files are known by their content, and by their name where contents are alike', () => {
  const files = [remote(1, 'a.txt', 'A'), remote(2, 'b.txt', 'A'), remote(3, 'c.txt', 'C')]
  const { uploads, strangers } = pairUp(12, files, [
    local('renamed.txt', 'C'),
    local('b.txt', 'A'),
    local('a.txt', 'A'),
  ])
  expect(uploads.map(({ file, local: from }) => [file.idx, from.name])).toEqual([
    [3, 'renamed.txt'],
    [2, 'b.txt'],
    [1, 'a.txt'],
  ])
  expect(strangers).toEqual([])
})

test('a request says the step that it waits for, and who can decide it', () => {
  const people = [
    { name: '이보안', forName: null },
    { name: 'Kim\u202e', forName: '박이사' },
  ]
  const waiting = { ...REQUEST, isFileUploaded: 1, step: 2, stepCount: 3 } as const
  const lines = requestLines({ ...waiting, deciders: { count: 5, people } }, TEXTS.en)
  expect(lines[0]).toBe('Request 12: export, waiting, step 2 of 3')
  expect(lines.join('\n')).toMatch(/Approvers +이보안, Kim\S* and 3 more/)
  expect(lines.join('\n')).not.toContain('\u202e')
  const expiring = requestLines({ ...waiting, expiryDT: '2026-02-07T00:30:00.000Z' }, TEXTS.en)
  expect(expiring.join('\n')).toMatch(/Expires +2026-02-07/)
  expect(lines.join('\n')).not.toContain('Expires')
  const stuck = requestLines({ ...waiting, deciders: { count: 0, people: [] } }, TEXTS.ko)
  expect(stuck[0]).toBe('요청 12: 반출, 대기 (2/3단계)')
  expect(stuck.join('\n')).toContain('지금 이 요청을 처리할 수 있는 사람이 없습니다.')
  expect(listLines([waiting], TEXTS.ko).join('\n')).toContain('대기 (2/3단계)')
})

test('what the server holds already is left out, what it never asked for is a stranger', () => {
  const { uploads, strangers } = pairUp(12, REQUEST.files, [
    local('a.txt', 'A'),
    local('b.txt', 'X'),
    local('b.txt', 'B', 11),
  ])
  expect(uploads).toEqual([])
  expect(strangers.map(({ sha256 }) => sha256)).toEqual(['X', 'B'])
})

test('a file that is given twice is one file of the request', () => {
  const { uploads, strangers } = pairUp(12, [remote(1, 'a.txt', 'A')], [local('a.txt', 'A'), local('a.txt', 'A')])
  expect([uploads.length, strangers.length]).toEqual([1, 1])
})

test('an incomplete request is shown as such in both languages', () => {
  expect(requestLines(REQUEST, TEXTS.en).join('\n')).toContain('Request 12: export, uploading (10 B / 20 B uploaded)')
  expect(listLines([REQUEST], TEXTS.ko).join('\n')).toMatch(/12 +반출 +업로드 중 \(10 B \/ 20 B 업로드됨\)/)
  expect(requestLines({ ...REQUEST, isFileUploaded: 1 }, TEXTS.en)[0]).toBe('Request 12: export, waiting')
})

test('a decided request shows its time and its approver', () => {
  const decided = { ...REQUEST, state: 2, approveDT: '2026-02-01T00:26:00.000Z', approverName: '박부장' } as const
  expect(requestLines(decided, TEXTS.en).join('\n')).toMatch(/Decided +2026-02-01 \d\d:26\S* \(박부장\)/)
})

test('a released export shows until when and how often its files can be downloaded, in both languages', () => {
  const limited = { ...REQUEST, state: 1, isFileUploaded: 1, maxDownloads: 3 } as const
  const files = [{ ...remote(1, 'a.txt', 'A', 1), downloads: 2 }]
  const released = { ...limited, downloadEndDT: '2026-02-01T00:26:00.000Z', files }
  const lines = requestLines(released, TEXTS.en).join('\n')
  expect(lines).toMatch(/Download until +2026-02-01 \d\d:26/)
  expect(lines).toMatch(/100% +1 download left +a\.txt/)
  // The limit was lowered since.
  const lowered = requestLines({ ...limited, maxDownloads: 1, files }, TEXTS.ko).join('\n')
  expect(lowered).toMatch(/0회 남음 +a\.txt/)
  expect(lowered).not.toContain('다운로드 기한')
  expect(requestLines({ ...limited, state: 0, files }, TEXTS.en).join('\n')).not.toContain('left')
})

test('a request whose files were removed says when', () => {
  const removed = { ...REQUEST, state: 1, isFileUploaded: 1, filesRemovedDT: '2026-03-02T00:26:00.000Z' } as const
  expect(requestLines(removed, TEXTS.en)[0]).toMatch(
    /^Request 12: export, approved \(files removed 2026-03-02 \d\d:26\b/,
  )
  expect(listLines([removed], TEXTS.ko).join('\n')).toMatch(/승인 \(파일 삭제 2026-03-02/)
})

test('a request that the policy blocks by now says so until nothing of it is still to come', () => {
  const blocked = { ...REQUEST, isFileUploaded: 1, block: RequestBlock.POLICY } as const
  expect(requestLines(blocked, TEXTS.en)[0]).toBe('Request 12: export, on hold (blocked by policy)')
  expect(listLines([{ ...blocked, state: 1 }], TEXTS.ko).join('\n')).toMatch(/승인 \(정책에서 차단\)/)
  expect(requestLines({ ...blocked, state: 2 }, TEXTS.en)[0]).toBe('Request 12: export, rejected')
})

test('a long list leaves files out, and still says how many there are', () => {
  const [, line] = listLines([{ ...REQUEST, files: [] }], TEXTS.en)
  expect(line).toMatch(/ uploading +\d{4}-/)
  expect(listLines([{ ...REQUEST, state: 4, files: [] }], TEXTS.en)[1]).toContain('auto-approved (uploading)')
  expect(line).toMatch(/ 2 +20 B/)
})
