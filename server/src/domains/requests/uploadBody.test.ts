import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { withIdleTimeout } from './requests.uploads.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

const never = new AbortController().signal
const start = (lost = never) => {
  const body = new PassThrough()
  body.on('error', () => undefined)
  return { body, chunks: withIdleTimeout(body, lost, 1000) }
}

test('bytes are handed on as they come, however long it takes in all', async () => {
  const { body, chunks } = start()
  for (const text of ['a', 'b', 'c']) {
    body.write(text)
    expect((await chunks.next()).value?.toString()).toBe(text)
    vi.advanceTimersByTime(900)
  }
  body.end()
  expect(await chunks.next()).toMatchObject({ done: true })
  expect(vi.getTimerCount()).toBe(0)
})

test('a connection that brings nothing is given up', async () => {
  const { body, chunks } = start()
  body.write('a')
  await chunks.next()
  const next = chunks.next()
  vi.advanceTimersByTime(1001)
  await expect(next).rejects.toThrow('too long')
  expect(body.destroyed).toBe(true)
})

test('time that the reader takes does not count', async () => {
  const { body, chunks } = start()
  body.write('a')
  await chunks.next()
  vi.advanceTimersByTime(5000)
  body.write('b')
  expect((await chunks.next()).value?.toString()).toBe('b')
  const next = chunks.next()
  vi.advanceTimersByTime(1001)
  await expect(next).rejects.toThrow('too long')
})

test('a lost lock ends it', async () => {
  const lost = new AbortController()
  const { chunks } = start(lost.signal)
  const next = chunks.next()
  lost.abort()
  await expect(next).rejects.toThrow('lock')
})

test('left early, it leaves the body open for the answer', async () => {
  const { body, chunks } = start()
  body.write('a')
  for await (const chunk of chunks) {
    expect(chunk).toHaveLength(1)
    break
  }
  expect(body.destroyed).toBe(false)
  expect(vi.getTimerCount()).toBe(0)
  body.destroy()
  await once(body, 'close')
})
