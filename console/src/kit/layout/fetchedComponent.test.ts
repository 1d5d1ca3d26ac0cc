import type { ApiError } from '@acc/contract/core/client'
import { beforeEach, expect, test } from 'vitest'
import { reportErrorsTo } from '../api/errors.ts'
import { liveConnection } from '../browser/connection.ts'
import { fetchedPart, LostPart, retryFailed } from '../browser/fetchedPart.ts'
import { whenFetched } from './fetchedComponent.ts'

const AWAY = { code: 1000, type: 'network' }

function somePart() {
  const state = { fails: false, count: 0 }
  const fetch = fetchedPart(async () => {
    state.count++
    if (state.fails) throw new TypeError('Failed to fetch dynamically imported module')
    return 'part'
  })
  return { state, fetch }
}

// Nothing answers here: without the live connection the server is away.
beforeEach(() => liveConnection.set('lost'))

test('while the server is away a part is not imported; it is fetched when it is tried again, and not before', async () => {
  const { state, fetch } = somePart()
  await expect(fetch()).rejects.toMatchObject(AWAY)
  liveConnection.set('up')
  await expect(fetch()).rejects.toMatchObject(AWAY)
  expect(state.count).toBe(0)
  retryFailed()
  expect(await fetch()).toBe('part')
  retryFailed()
  expect(await fetch()).toBe('part')
  expect(state.count).toBe(1)
})

test('an import that failed is not tried again, since the browser keeps its failure', async () => {
  const { state, fetch } = somePart()
  state.fails = true
  liveConnection.set('up')
  const outer = fetchedPart(fetch)
  await expect(outer()).rejects.toThrow(LostPart)
  state.fails = false
  retryFailed()
  await expect(outer()).rejects.toThrow(LostPart)
  expect(state.count).toBe(1)
})

test('what needs a part that cannot be fetched is not opened; the error of a lost connection is shown instead', async () => {
  const errors: ApiError[] = []
  reportErrorsTo((error) => errors.push(error))
  const { fetch } = somePart()
  let opened = 0
  const open = () => void opened++
  expect(await whenFetched(fetch, open)).toBe(false)
  await expect.poll(() => errors).toMatchObject([AWAY])
  expect(opened).toBe(0)
  liveConnection.set('up')
  expect(await whenFetched(fetch, open)).toBe(true)
  expect(opened).toBe(1)
})
