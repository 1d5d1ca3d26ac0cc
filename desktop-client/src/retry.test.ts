// Retries after a broken connection.
import { expect, test } from 'vitest'
import { DELAYS, startPatience } from './retry.ts'

function patience() {
  const waited: number[] = []
  const started = startPatience(new AbortController().signal, async (delay) => waited.push(delay))
  return { ...started, waited }
}

test('a server has more than a minute to start waitForRetry, but not unlimited time', async () => {
  const { waitForRetry, waited } = patience()
  for (const _ of DELAYS) expect(await waitForRetry()).toBe(true)
  expect(await waitForRetry()).toBe(false)
  expect(waited).toEqual(DELAYS)
  expect(waited.reduce((sum, delay) => sum + delay, 0)).toBeGreaterThan(60_000)
})

test('progress makes the patience new', async () => {
  const { waitForRetry, renew, waited } = patience()
  await waitForRetry()
  await waitForRetry()
  renew()
  await waitForRetry()
  expect(waited).toEqual([500, 1000, 500])
})

test('Ctrl-C ends the waiting', async () => {
  const controller = new AbortController()
  controller.abort()
  await expect(startPatience(controller.signal).waitForRetry()).rejects.toThrow()
})
