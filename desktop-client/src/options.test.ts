// The command line: accepted and rejected options.
import { expect, test } from 'vitest'
import { defineCommand, idxOf, numberIn, parse, wantsJson } from './options.ts'

const send = defineCommand({
  options: { purpose: { type: 'string' }, force: { type: 'boolean' } },
  args: [1, 2],
  run: async (_context, values, args) => ({ document: { values: { ...values }, args }, lines: [] }),
})
const COMMANDS = { send }
const sentence = (argv: string[]) => {
  try {
    parse(argv, COMMANDS)
  } catch (error) {
    return error instanceof Error ? error.message : undefined
  }
}

test('global options stand before or after the command', () => {
  for (const argv of [
    ['--server', 'http://a', '--json', 'send', 'x'],
    ['send', 'x', '--json', '--server', 'http://a'],
  ]) {
    const { name, globals } = parse(argv, COMMANDS)
    expect({ name, ...globals }).toEqual({ name: 'send', server: 'http://a', json: true })
  }
})

test('the value of an option is not taken for the command or an argument', () => {
  expect(parse(['--purpose', 'send', 'send', 'x'], COMMANDS).name).toBe('send')
  expect(parse(['--state', 'send', '--version'], COMMANDS).name).toBeUndefined()
})

test('after -- everything is an argument', () => {
  expect(parse(['send', '--', '--json'], COMMANDS).globals.json).toBeUndefined()
  expect(wantsJson(['send', '--', '--json'])).toBe(false)
  expect(wantsJson(['--nonsense', '--json'])).toBe(true)
})

test.each([
  [[], 'Enter a command'],
  [['sned'], 'Unknown command "sned". Did you mean "send"? See'],
  [['receive'], 'Unknown command "receive". See'],
  [['constructor'], 'Unknown command "constructor"'],
  [['send'], 'Missing argument after "send"'],
  [['send', 'a', 'b', 'c'], 'Unexpected argument "c"'],
  [['send', 'a', '--nope'], '--nope'],
  [['send', 'a', '--purpose'], '--purpose'],
  [['send', 'a', '--force=yes'], '--force'],
])('%j is refused', (argv, text) => {
  expect(sentence(argv)).toContain(text)
})

test('--help and --version need nothing else', () => {
  expect(parse(['send', '--help'], COMMANDS)).toMatchObject({ name: 'send', globals: { help: true } })
  expect(parse(['--version'], COMMANDS).globals.version).toBe(true)
})

test('numbers are whole and in range', () => {
  expect(idxOf('12')).toBe(12)
  for (const text of ['0', '-1', '1.5', '1e3', '', '0x10', '9'.repeat(17)]) expect(() => idxOf(text)).toThrow()
  expect(numberIn('rows', '20', [1, 1000])).toBe(20)
  for (const text of ['0', '1001', 'x']) expect(() => numberIn('rows', text, [1, 1000])).toThrow('--rows')
})
