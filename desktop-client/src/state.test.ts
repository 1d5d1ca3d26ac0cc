// The state file: its place, its permissions, and recovery from damage.
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { serverOf, sessionAt } from './connection.ts'
import { defaultStatePath, openState, parseState, type Session } from './state.ts'

const folder = await mkdtemp(join(tmpdir(), 'acc-state-'))
afterAll(() => rm(folder, { recursive: true }))

const session: Session = {
  server: 'https://acc.example.com',
  token: 'secret',
  user: { idx: 7, id: 'hong', name: '홍길동', email: 'hong@example.com', groupName: '영업' },
  clientVersion: '1.0.0',
  sessionValidMinutes: 30,
}

test('the file lies where the platform keeps state', () => {
  const home = join('/', 'home', 'hong')
  const at = (platform: NodeJS.Platform, env: NodeJS.ProcessEnv = {}) => defaultStatePath({ platform, env, home })
  const file = join('acc-client', 'state.json')
  expect(at('linux')).toBe(join(home, '.local', 'state', file))
  expect(at('linux', { XDG_STATE_HOME: '/var/state' })).toBe(join('/var/state', file))
  expect(at('darwin')).toBe(join(home, 'Library', 'Application Support', file))
  expect(at('win32', { LOCALAPPDATA: join(home, 'Local') })).toBe(join(home, 'Local', file))
})

test('the stored state is read back, and no other account may read it', async () => {
  const state = openState(join(folder, 'new', 'state.json'))
  expect(await state.read()).toEqual({})
  await state.write({ deviceId: 'pc-1', session })
  expect(await state.read()).toEqual({ deviceId: 'pc-1', session })
  expect((await stat(state.path)).mode & 0o777).toBe(0o600)
  expect((await stat(join(folder, 'new'))).mode & 0o777).toBe(0o700)
})

test('a file that others could read is closed to them when it is written', async () => {
  const path = join(folder, 'open.json')
  await writeFile(path, '{}')
  await chmod(path, 0o644)
  await openState(path).write({ session })
  expect((await stat(path)).mode & 0o777).toBe(0o600)
})

test('concurrent writes leave one complete state and no other file', async () => {
  const path = join(folder, 'many', 'state.json')
  const state = openState(path)
  await Promise.all(Array.from({ length: 20 }, (_, at) => state.write({ deviceId: `pc-${at}` })))
  expect(parseState(await readFile(path, 'utf8'))?.deviceId).toMatch(/^pc-\d+$/)
  expect(await readdir(join(folder, 'many'))).toEqual(['state.json'])
})

test.each(['', '{', '[]x', 'null', '7', '{"deviceId":1}', '{"session":{}}', '{"session":{"server":"a","token":"b"}}'])(
  'what is not a state is refused: %s',
  async (text) => {
    expect(parseState(text)).toBeUndefined()
    const path = join(folder, 'broken.json')
    await writeFile(path, text)
    await expect(openState(path).read()).rejects.toThrow(path)
  },
)

test('the server is the one named, the environment’s, the one signed in to, or this machine', () => {
  expect(serverOf({ server: 'https://a.example/' }, { ACC_SERVER: 'https://b.example' }, { session })).toBe(
    'https://a.example',
  )
  expect(serverOf({}, { ACC_SERVER: 'https://b.example/acc/' }, { session })).toBe('https://b.example/acc')
  expect(serverOf({}, { ACC_SERVER: '' }, { session })).toBe(session.server)
  expect(serverOf({}, {}, {})).toBe('http://127.0.0.1:8080')
  for (const text of ['', 'acc.example.com', 'ftp://a', 'http://me:pw@a', 'http://a/?q=1', 'http://']) {
    expect(() => serverOf({ server: text }, {}, {})).toThrow('address')
  }
})

test('passwords leave this machine by https only, unless the option says otherwise', () => {
  const [server, name] = ['http://acc.example', 'a.example.127.0.0.1.nip.io']
  expect(() => serverOf({ server }, {}, {})).toThrow('unencrypted')
  expect(() => serverOf({ server: `http://${name}` }, {}, {})).toThrow('unencrypted')
  expect(() => serverOf({}, { ACC_SERVER: server }, {})).toThrow('unencrypted')
  expect(serverOf({ server, insecure: true }, {}, {})).toBe(server)
  for (const loopback of ['http://localhost:1', 'http://127.0.0.1', 'http://[::1]'])
    expect(serverOf({ server: loopback }, {}, {})).toBe(loopback)
})

test('a token is for its own server only', () => {
  expect(sessionAt(session.server, { session })).toBe(session)
  expect(() => sessionAt('https://other.example', { session })).toThrow('NO_SESSION')
  expect(() => sessionAt(session.server, {})).toThrow('NO_SESSION')
})
