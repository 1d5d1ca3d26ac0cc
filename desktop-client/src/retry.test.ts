// Retries after a broken connection.
import { expect, test } from 'vitest'
import { DELAYS, startPatience } from './retry.ts'

function patience() {
  const waited: number[] = []
  const started = startPatience(new AbortController().signal, async (delay) => waited.push(delay))
  return { ...started, waited }
}

test('a server has more than a minute to start again, but not unlimited time', async () => {
  const { again, waited } = patience()
  for (const _ of DELAYS) expect(await again()).toBe(true)
  expect(await again()).toBe(false)
  expect(waited).toEqual(DELAYS)
  expect(waited.reduce((sum, delay) => sum + delay, 0)).toBeGreaterThan(60_000)
})

test('progress makes the patience new', async () => {
  const { again, renew, waited } = patience()
  await again()
  await again()
  renew()
  await again()
  expect(waited).toEqual([500, 1000, 500])
})

test('Ctrl-C ends the waiting', async () => {
  const controller = new AbortController()
  controller.abort()
  await expect(startPatience(controller.signal).again()).rejects.toThrow()
})
