import type { ApiError } from '@acc/contract/core/client'
import { expect, test } from 'vitest'
import { reportErrorsTo } from '../api/errors.ts'
import { fetchedPart, retryFailed, whenFetched } from './fetchedPart.ts'

/** A part that cannot be fetched while `isAway`. */
function somePart() {
  const state = { isAway: true, count: 0 }
  const fetch = fetchedPart(async () => {
    state.count++
    if (state.isAway) throw new Error('Failed to fetch dynamically imported module')
    return 'part'
  })
  return { state, fetch }
}

test('a part is fetched once; one that failed is fetched again when it is tried again, and not before', async () => {
  const { state, fetch } = somePart()
  await expect(fetch()).rejects.toThrow('Failed to fetch')
  await expect(fetch()).rejects.toThrow('Failed to fetch')
  expect(state.count).toBe(1)
  state.isAway = false
  retryFailed()
  expect(await fetch()).toBe('part')
  retryFailed()
  expect(await fetch()).toBe('part')
  expect(state.count).toBe(2)
})

test('what needs a part that cannot be fetched is not opened; the error of a lost connection is shown instead', async () => {
  const errors: ApiError[] = []
  reportErrorsTo((error) => errors.push(error))
  const { state, fetch } = somePart()
  let opened = 0
  const open = () => void opened++
  await whenFetched(fetch, open)
  await expect.poll(() => errors).toMatchObject([{ code: 1000, type: 'network' }])
  expect(opened).toBe(0)
  state.isAway = false
  await whenFetched(fetch, open)
  expect(opened).toBe(1)
})
