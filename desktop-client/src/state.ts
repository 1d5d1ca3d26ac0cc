// The client's state between commands: the id of this PC and the sign-in with its token. The file is readable by its
// owner only and replaced atomically, so that a crash leaves the old one or the new one.
import { randomUUID } from 'node:crypto'
import { mkdir, readFile, rename } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { writeDurably } from './durableFile.ts'
import { localError } from './errors.ts'

export type Session = {
  /** The only server that receives the token. */
  server: string
  token: string
  user: { idx: number; id: string; name: string; email: string; groupName: string }
  clientVersion: string
  sessionValidMinutes: number
}
export type State = {
  /** Generated once: the server assigns one license to each PC by it. */
  deviceId?: string
  session?: Session
}
export type StateFile = { path: string; read(): Promise<State>; write(state: State): Promise<void> }

type Where = { env: NodeJS.ProcessEnv; platform: NodeJS.Platform; home: string }

/** Returns the platform's path for state: XDG_STATE_HOME, or the equivalent of Windows and macOS. */
export function defaultStatePath(
  { env, platform, home }: Where = { env: process.env, platform: process.platform, home: homedir() },
): string {
  return join(stateHome({ env, platform, home }), 'acc-client', 'state.json')
}

function stateHome({ env, platform, home }: Where): string {
  if (env.XDG_STATE_HOME) return env.XDG_STATE_HOME
  if (platform === 'win32') return env.LOCALAPPDATA || join(home, 'AppData', 'Local')
  if (platform === 'darwin') return join(home, 'Library', 'Application Support')
  return join(home, '.local', 'state')
}

export function openState(path: string): StateFile {
  const file = resolve(path)
  return { path: file, read: () => readState(file), write: (state) => writeState(file, state) }
}

async function readState(path: string): Promise<State> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return {}
    throw error
  }
  const state = parseState(text)
  if (state === undefined) throw localError((texts) => texts.stateUnreadable(path))
  return state
}

/** Parses the state; undefined if the text is invalid. */
export function parseState(text: string): State | undefined {
  let found: unknown
  try {
    found = JSON.parse(text)
  } catch {
    return undefined
  }
  return isState(found) ? found : undefined
}

type Shape = Record<string, 'string' | 'number'>
const SESSION: Shape = { server: 'string', token: 'string', clientVersion: 'string', sessionValidMinutes: 'number' }
const USER: Shape = { idx: 'number', id: 'string', name: 'string', email: 'string', groupName: 'string' }

function hasShape(value: unknown, shape: Shape): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false
  const fields = new Map<string, unknown>(Object.entries(value))
  return Object.entries(shape).every(([name, type]) => typeof fields.get(name) === type)
}

function isState(value: unknown): value is State {
  if (!hasShape(value, {})) return false
  const { deviceId, session } = value
  if (deviceId !== undefined && typeof deviceId !== 'string') return false
  return session === undefined || (hasShape(session, SESSION) && hasShape(session.user, USER))
}

async function writeState(path: string, state: State): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  await writeDurably({
    path: `${path}.${randomUUID()}.new`,
    mode: 0o600,
    write: (handle) => handle.writeFile(`${JSON.stringify(state, null, 2)}\n`),
    place: (draft) => rename(draft, path),
  })
}
