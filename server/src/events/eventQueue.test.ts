import { expect, test } from 'vitest'
import { openEventQueue } from './eventQueue.ts'

const users = (idx: number) => ({ topic: 'users', idx, groupIdx: 1 })

test('events come in their order, the same one once', async () => {
  const queue = openEventQueue()
  for (const idx of [1, 2, 1, 1]) queue.push(users(idx))
  expect([await queue.take(), await queue.take()]).toEqual([users(1), users(2)])
  const next = queue.take()
  queue.push(users(1))
  expect(await next).toEqual(users(1))
})

test('a hundred different ones wait, more become one that says so', async () => {
  const queue = openEventQueue()
  for (let idx = 1; idx <= 100; idx++) queue.push(users(idx))
  for (let idx = 1; idx <= 100; idx++) expect(await queue.take()).toEqual(users(idx))
  for (let idx = 1; idx <= 101; idx++) queue.push(users(idx))
  expect((await queue.take())?.topic).toBe('missed')
  for (let idx = 1; idx <= 1000; idx++) queue.push(users(idx))
  let count = 0
  for (let event = await queue.take(); event?.topic !== 'missed'; event = await queue.take()) count++
  expect(count).toBe(0)
})

test('closing ends the wait and drops waiting events', async () => {
  const queue = openEventQueue()
  const next = queue.take()
  queue.close()
  expect(await next).toBeUndefined()
  queue.push(users(1))
  expect(await queue.take()).toBeUndefined()
})
