// The message and the exit status of an error.
import { readFile } from 'node:fs/promises'
import { ApiError } from '@acc/contract/core/client'
import { ERRORS } from '@acc/contract/core/errors'
import { expect, test } from 'vitest'
import { isPassing } from './connection.ts'
import { Advised, answered, interrupted, localError, reportOf, usageError } from './errors.ts'
import { languageOf } from './texts.ts'

const network = (code: number) => new ApiError('network', code, 'Bad Gateway')

test.each([
  ['an answer', answered('WRONG_CREDENTIALS'), 100, 1],
  ['an unknown error code', new ApiError('server', 777, 'NEW'), 777, 1],
  ['no connection', network(1000), 1000, 3],
  ['a server that is not ready', network(503), 503, 3],
  ['a wrong command line', usageError((texts) => texts.noCommand), 983, 2],
  ['a local fault', localError((texts) => texts.notAFile('x')), 1000, 1],
  ['Ctrl-C', interrupted(), 1000, 130],
  ['a fault of the system', Object.assign(new Error('ENOSPC'), { code: 'ENOSPC', syscall: 'write' }), 1000, 1],
])('%s', (_what, error, errorCode, status) => {
  const report = reportOf(error, 'en')
  expect(report).toMatchObject({ errorCode, status })
  expect(report.message).not.toBe('')
})

test('advice follows the error and leaves its status', () => {
  const report = reportOf(new Advised(network(1000), (texts) => texts.resumeAdvice(12)), 'en')
  expect(report).toMatchObject({ errorCode: 1000, status: 3 })
  expect(report.message.split('\n')).toEqual([
    expect.stringContaining('reached'),
    expect.stringContaining('--resume 12'),
  ])
})

test('the text of an error says when to try again and which fields were wrong', () => {
  const wait = new ApiError('server', ERRORS.TOO_MANY_REQUESTS.code, 'TOO_MANY_REQUESTS', { retryAfter: 30 })
  expect(reportOf(wait, 'en').message).toContain('30 s')
  expect(reportOf(wait, 'ko').message).toContain('30초')
  const busy = new ApiError('server', ERRORS.SERVER_BUSY.code, 'SERVER_BUSY', { retryAfter: 5 })
  expect(reportOf(busy, 'en').message).toBe('The server is busy. Try again in 5 s.')
  expect(reportOf(busy, 'ko').message).toBe('서버가 처리 중인 작업이 많습니다. 5초 후 다시 시도해 주세요.')
  expect(isPassing(busy)).toBe(true)
  const invalid = new ApiError('server', ERRORS.INVALID_INPUT.code, 'INVALID_INPUT', { fields: ['purpose'] })
  expect(reportOf(invalid, 'en').message).toContain('(purpose)')
})

test('only what may be otherwise the next time is tried again', () => {
  expect([1000, 429, 502, 503, 504].map((code) => isPassing(network(code)))).toEqual(Array(5).fill(true))
  expect([400, 404, 413, 500].map((code) => isPassing(network(code)))).toEqual(Array(4).fill(false))
  expect(isPassing(answered('UPLOAD_OFFSET'))).toBe(true)
  expect(isPassing(answered('SESSION_ENDED'))).toBe(false)
  expect(isPassing(answered('STORAGE_UNAVAILABLE'))).toBe(false)
  expect(isPassing(new Error('x'))).toBe(false)
})

test('the language is the terminal’s', () => {
  expect(languageOf({ LANG: 'ko_KR.UTF-8' })).toBe('ko')
  expect(languageOf({ LANG: 'ko_KR.UTF-8', LC_ALL: 'C' })).toBe('en')
  expect(languageOf({ LANG: 'en_US.UTF-8', LC_MESSAGES: 'ko' })).toBe('ko')
  expect(languageOf({})).toBe('en')
})

test('a missing file is named in the language of the terminal', async () => {
  const error: unknown = await readFile('/nowhere/report.pdf').catch((fault: unknown) => fault)
  expect(reportOf(error, 'ko').message).toBe('/nowhere/report.pdf: 파일이나 폴더가 없습니다.')
  expect(reportOf(error, 'en').message).toBe('/nowhere/report.pdf: There is no such file or folder.')
})
