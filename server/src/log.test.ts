import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openLog } from './log.ts'

test('a log whose disk is full fails nothing', async () => {
  const file = openSync('/dev/full', 'w')
  const log = await openLog('info', file)
  for (let at = 0; at < 10_000; at++) log.info({ at }, 'a line that there is no room for')
  closeSync(file)
})

/** Fills its log up to the limit of the system, makes room, and continues. */
const SCRIPT = `
  import { ftruncateSync, openSync } from 'node:fs'
  const { openLog } = await import(process.argv[1])
  const file = openSync(process.argv[2], 'a')
  const log = await openLog('info', file)
  for (let at = 0; at < 100; at++) log.info({ at }, 'x'.repeat(100))
  ftruncateSync(file, 0)
  log.info('there is room again')`

test('once there is room again, the log says how many lines were lost', () => {
  const folder = mkdtempSync(join(tmpdir(), 'acc-log-'))
  const path = join(folder, 'log')
  const program = [process.execPath, '--input-type=module', '-e', SCRIPT, join(import.meta.dirname, 'log.ts'), path]
  const { status, stderr } = spawnSync('sh', ['-c', 'ulimit -f 8; exec "$@"', 'sh', ...program], { encoding: 'utf8' })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  const lines = readFileSync(path, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
  expect(lines).toMatchObject([{ lost: expect.any(Number) }, { msg: 'there is room again' }])
  expect(lines[0].lost).toBeGreaterThan(50)
  rmSync(folder, { recursive: true })
})

/** Writes to a pipe that nobody reads, and ends once all lines were dealt with. */
const STALLED = `
  const { openLog } = await import(process.argv[1])
  process.stdout.on('error', () => undefined)
  const log = await openLog('info')
  for (let at = 0; at < 5000; at++) log.info({ at }, 'x'.repeat(200))
  process.stderr.write('done')
  process.exit(0)`

test('a reader that has stalled does not hold up every line', async () => {
  const child = spawn(process.execPath, ['--input-type=module', '-e', STALLED, join(import.meta.dirname, 'log.ts')])
  const [output] = await once(child.stderr, 'data')
  child.kill()
  expect(String(output)).toBe('done')
})

/** Logs one event. */
const ONE_LINE = `
  const { openLog } = await import(process.argv[1])
  const log = await openLog('info')
  log.info({ port: 8080 }, 'listening')`

test('a terminal gets readable lines, everything else lines of JSON', () => {
  const program = [process.execPath, '--input-type=module', '-e', ONE_LINE, join(import.meta.dirname, 'log.ts')]
  // `script` runs a command on a terminal of its own.
  const [node = '', ...args] = program
  const quoted = program.map((word) => `"${word.replaceAll('"', '').replaceAll("'", '\\"')}"`)
  const terminal = spawnSync('script', ['-qec', quoted.join(' '), '/dev/null'], { encoding: 'utf8' })
  expect(terminal.stdout).toMatch(/\[\d\d:\d\d:\d\d\].*INFO.*listening.*port.*8080/s)
  const pipe = spawnSync(node, args, { encoding: 'utf8' })
  expect(JSON.parse(pipe.stdout)).toMatchObject({ level: 30, port: 8080, msg: 'listening' })
})
