// The errors that each call lists and the topics that it changes in one table (promises.md): an error of a list is not always
// provoked, and a topic may be left out where nothing is open that shows it.
import { expect, test } from 'vitest'
import { api } from '../index.ts'

type CallPromises = { method: string; path: string; errors: readonly string[]; changes?: readonly string[] }

test('errors and topics of the calls are the committed ones', async () => {
  const lines = Object.values(api)
    .flatMap((group): CallPromises[] => Object.values(group))
    .map(
      ({ method, path, errors, changes = [] }) => `| ${method} ${path} | ${errors.join(' ')} | ${changes.join(' ')} |`,
    )
  await expect(
    `# Errors and topics of the calls\n\nMade from the contract by promises.test.ts.\n\n| call | errors | topics |\n| --- | --- | --- |\n${lines.join('\n')}\n`,
  ).toMatchFileSnapshot('promises.md')
})
