// Numbers of migrations and decisions, which engineers may choose on different branches at the same time.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '..')
const numbersIn = (folder: string) => readdirSync(join(ROOT, folder)).map((name) => name.slice(0, 4))

test('the numbers of migrations follow one another', () => {
  const numbers = numbersIn('server/src/db/migrations')
  expect(numbers.toSorted()).toEqual(numbers.map((_, place) => String(place + 1).padStart(4, '0')))
})

test('a decision has a number of its own', () => {
  const numbers = numbersIn('docs/decisions')
  expect(numbers.toSorted()).toEqual([...new Set(numbers)].toSorted())
})
