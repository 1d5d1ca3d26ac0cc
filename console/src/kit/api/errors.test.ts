import { ApiError } from '@acc/contract/core/client'
import { expect, test } from 'vitest'
import { endsPage, isAnnounced, markAnnounced, markHandled, passError, reactionOf, reportErrorsTo } from './errors.ts'

const failing = async (error: ApiError): Promise<never> => {
  passError(error)
  throw error
}
const afterTasks = () => new Promise((resolve) => setTimeout(resolve))

test('an error that its caller claims is not reported, another one is, once', async () => {
  const reported: ApiError[] = []
  reportErrorsTo((error) => reported.push(error))
  const known = new ApiError('server', 120, 'DUPLICATE_ID')
  const unknown = new ApiError('server', 980, 'NOT_ALLOWED')
  await failing(known).catch(markHandled)
  await failing(unknown).catch(() => undefined)
  await afterTasks()
  expect(reported).toEqual([unknown])
})

test('an error is announced where the contract lists it for the call, and nowhere else', () => {
  const [listed, other] = [124, 142].map((code) => new ApiError('server', code, ''))
  for (const error of [listed, other]) markAnnounced(error, ['NO_OTP_TO_RESET'])
  expect([listed, other].map((error) => error !== undefined && isAnnounced(error))).toEqual([true, false])
})

test('the session being gone ends the page, other errors do not', () => {
  expect(endsPage(new ApiError('server', 961, ''))).toBe(true)
  expect(endsPage(new ApiError('server', 980, ''))).toBe(false)
  expect(endsPage(new ApiError('network', 1000, ''))).toBe(false)
  expect(reactionOf(new ApiError('server', 982, ''))).toBe('groups')
  expect(reactionOf(new ApiError('server', 4711, ''))).toBe('dialog')
})
