// ACC's servers: one with its own database, or two behind HAProxy with the files of docs/operations/haproxy.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import NODE_FLAGS from '@acc/server/nodeFlags.json' with { type: 'json' }
import { type Database, openDatabase } from '@acc/server/src/db/open.ts'
import { createDatabase, OWNER, SERVER, startPostgres, urlOf } from '@acc/server/test/postgres.ts'
import { COMPILED, freePort } from '@acc/server/test/process.ts'
import { ACCOUNT, type Drill, type DrillProcess, until } from './drill.ts'

const ROOT = join(import.meta.dirname, '..')
const MAIN = join(ROOT, 'server/src/main.ts')
const CONFIGURATIONS = join(ROOT, 'docs/operations/haproxy')

export const PASSWORD = 'Adm1n!strator'
/** The secret key of all nodes. */
export const SECRET_KEY = Buffer.alloc(32, 7)

export type Node = {
  url: string
  running: DrillProcess
  dataDir: string
  /** Starts it once more, optionally another version or with other settings, and waits until it is ready. */
  start(main?: string, settings?: Record<string, string>): Promise<void>
}
export type Site = {
  /** HAProxy's address. */
  url: string
  nodes: [Node, Node]
  /** The session of the administrator. */
  cookie: string
  /** Restarts a node; returns when HAProxy sends it calls again (docs/operations/cluster.md). */
  restart(node: Node, ...how: Parameters<Node['start']>): Promise<void>
}

export type NodeOptions = {
  databaseUrl?: string
  /** The start file of another version. */
  main?: string
  /** More settings. */
  env?: Record<string, string>
  /** A program that runs the server, with its first arguments. */
  under?: readonly [string, ...string[]]
}
type SiteOptions = NodeOptions & { haproxy: string; databaseUrl: string }

const statusOf = async (url: string) => (await fetch(url)).status
export const isReady = async (url: string): Promise<boolean> => (await statusOf(`${url}/Health/Ready`)) === 200

/** Starts a node; without a database's address it has its own. */
export async function openNode(
  drill: Drill,
  at: number,
  { databaseUrl, main = MAIN, env: more = {}, under }: NodeOptions = {},
): Promise<Node> {
  const port = await freePort()
  const dataDir = join(drill.root, `node${at}`)
  const env = {
    PATH: process.env.PATH,
    NODE_COMPILE_CACHE: COMPILED,
    ACC_PORT: String(port),
    ACC_DATA_DIR: dataDir,
    ACC_FILES_URL: join(drill.root, 'files'),
    ...(databaseUrl !== undefined && { ACC_DATABASE_URL: databaseUrl }),
    ACC_SECRET_KEY: SECRET_KEY.toString('base64'),
    ACC_ADMIN_PASSWORD: PASSWORD,
    ACC_TRUST_PROXY: '127.0.0.1',
    ACC_DRAIN_SECONDS: '5',
    // All calls come from one person's session.
    ACC_CALLS_PER_SECOND: '1000000',
    ACC_LOG_LEVEL: 'warn',
    ...more,
  }
  const url = `http://127.0.0.1:${port}`
  const run = (path: string, changed: Record<string, string> = {}) => {
    const [program, ...args] = [...(under ?? []), process.execPath, ...NODE_FLAGS, path]
    return drill.run(`node${at}`, program ?? process.execPath, args, { env: { ...env, ...changed } })
  }
  const node: Node = {
    url,
    dataDir,
    running: run(main),
    start: async (other = MAIN, settings) => {
      node.running = run(other, settings)
      await until(`${url} is ready`, () => isReady(url))
    },
  }
  await until(`${url} is ready`, () => isReady(url))
  return node
}

export type HaproxyOptions = { files: string[]; env: Record<string, string> }
/** Starts HAProxy on configuration files of docs/operations/haproxy/. */
export function startHaproxy(drill: Drill, haproxy: string, { files, env }: HaproxyOptions): DrillProcess {
  const args = files.flatMap((file) => ['-f', join(CONFIGURATIONS, file)])
  return drill.run(`haproxy-${files.join('-')}`, haproxy, ['-db', ...args], { ...ACCOUNT, env })
}

/** Whether HAProxy's page says that a server of the nodes takes calls. */
async function isUp(watch: string, server: string): Promise<boolean> {
  const csv = await (await fetch(`http://${watch}/;csv`)).text()
  const [head = '', ...lines] = csv.split('\n')
  const status = head.split(',').indexOf('status')
  const line = lines.find((one) => one.startsWith(`nodes,${server},`))
  return line?.split(',')[status] === 'UP'
}

/** Signs in as the administrator and returns the session's cookie. */
export async function signIn(url: string, id = 'admin'): Promise<string> {
  const response = await fetch(`${url}/Account/Login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-requested-with': 'XMLHttpRequest' },
    body: JSON.stringify({ id, pw: PASSWORD }),
  })
  return response.headers.get('set-cookie')?.split(';')[0] ?? ''
}

/** Starts two nodes on a database and HAProxy before them. */
export async function openSite(drill: Drill, options: SiteOptions): Promise<Site> {
  mkdirSync(join(drill.root, 'files'), { mode: 0o700 })
  const nodes: [Node, Node] = [await openNode(drill, 1, options), await openNode(drill, 2, options)]
  const [bind, watch] = [`127.0.0.1:${await freePort()}`, `127.0.0.1:${await freePort()}`]
  const [one = '', two = ''] = nodes.map(({ url }) => new URL(url).host)
  const env = { ACC_BIND: bind, WATCH_BIND: watch, NODE_1: one, NODE_2: two }
  startHaproxy(drill, options.haproxy, { files: ['calls.cfg'], env })
  const url = `http://${bind}`
  const untilUp = (node: Node) =>
    until(`HAProxy sends calls to ${node.url}`, () => isUp(watch, `node${nodes.indexOf(node) + 1}`))
  await Promise.all(nodes.map(untilUp))
  const restart: Site['restart'] = async (node, ...how) => {
    await node.running.kill('SIGTERM')
    await node.start(...how)
    await untilUp(node)
  }
  return { url, nodes, cookie: await signIn(url), restart }
}

/** Returns where a running server has its embedded database. */
export const connectionOf = (dataDir: string) => ({
  host: join(dataDir, 'pg'),
  port: 5432,
  user: OWNER,
  database: 'acc',
})

/** Works on the embedded database of a running server. */
export async function withDatabase<T>(dataDir: string, work: (db: Database) => Promise<T>): Promise<T> {
  const db = openDatabase(connectionOf(dataDir), { warn: () => undefined }, 2)
  return work(db).finally(db.close)
}

/** Starts a PostgreSQL with a copy of `template`; returns its connections for the owner and for servers. */
export async function openExternalDatabase(drill: Drill, template: string) {
  const { postgres, stop } = await startPostgres()
  drill.atEnd(stop)
  await createDatabase(postgres, 'drill', template)
  const owner = { ...postgres, user: OWNER, database: 'drill' }
  const db = openDatabase(owner, { warn: () => undefined }, 4)
  drill.atEnd(db.close)
  return { db, ownerUrl: urlOf(owner), databaseUrl: urlOf({ ...owner, user: SERVER }) }
}
