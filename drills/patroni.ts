// Two PostgreSQL servers under Patroni with three members of etcd, as docs/operations/patroni.yml configures them.
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { freePort, killIfThere } from '@acc/server/test/process.ts'
import pg from 'pg'
import { ACCOUNT, chownToAccount, type Drill, type DrillProcess, until } from './drill.ts'
import { startHaproxy } from './servers.ts'

const CONFIGURATION = join(import.meta.dirname, '../docs/operations/patroni.yml')

export type Programs = Record<'haproxy' | 'patroni' | 'etcd' | 'pg_ctl', string>
type Member = {
  name: string
  /** PostgreSQL's own address. */
  database: string
  restUrl: string
  /** Starts Patroni, and with it PostgreSQL. */
  start(): void
  /** Kills Patroni and PostgreSQL. */
  kill(): Promise<void>
}
export type Pair = {
  /** The address that follows the primary, as a database of the given name. */
  urlOf(database: string, user: string): string
  members: [Member, Member]
  etcd: Etcd
  /** Returns the primary and the other one. */
  roles(): Promise<{ primary: Member; standby: Member }>
  /** Whether a running member takes no writes. */
  isReadOnly(member: Member): Promise<boolean>
  /** Whether a standby confirms each commit. */
  isSynchronous(): Promise<boolean>
}
export const PASSWORD = 'drill'

const isOk = async (url: string) => (await fetch(url)).ok

export type Etcd = {
  /** The addresses for clients, as Patroni reads them from its environment. */
  hosts: string
  /** Starts all three members; returns when they are healthy. */
  start(): Promise<void>
  /** Kills all three members. */
  kill(): Promise<void>
}

async function openEtcd(drill: Drill, etcd: string): Promise<Etcd> {
  const address = async () => `127.0.0.1:${await freePort()}`
  const names = ['etcd1', 'etcd2', 'etcd3']
  const members = await Promise.all(
    names.map(async (name) => ({ name, client: await address(), peer: await address() })),
  )
  const cluster = members.map(({ name, peer }) => `${name}=http://${peer}`).join(',')
  const startMember = ({ name, client, peer }: (typeof members)[number]) => {
    const options = {
      name,
      'data-dir': join(drill.root, name),
      'listen-client-urls': `http://${client}`,
      'advertise-client-urls': `http://${client}`,
      'listen-peer-urls': `http://${peer}`,
      'initial-advertise-peer-urls': `http://${peer}`,
      'initial-cluster': cluster,
    }
    const args = Object.entries(options).flatMap(([option, value]) => [`--${option}`, value])
    return drill.run(name, etcd, args, { ...ACCOUNT, env: {} })
  }
  let running: DrillProcess[] = []
  const start = async () => {
    running = members.map(startMember)
    for (const { name, client } of members) await until(`${name} is healthy`, () => isOk(`http://${client}/health`))
  }
  const kill = async () => void (await Promise.all(running.map((member) => member.kill('SIGKILL'))))
  await start()
  return { hosts: members.map(({ client }) => client).join(','), start, kill }
}

/** Returns the postmaster of a data directory. */
function postmasterOf(dataDir: string): number | undefined {
  const file = join(dataDir, 'postmaster.pid')
  return existsSync(file) ? Number(readFileSync(file, 'utf8').split('\n')[0]) : undefined
}
async function openMember(drill: Drill, { patroni, pg_ctl }: Programs, name: string, { hosts }: Etcd) {
  const [database, rest] = [`127.0.0.1:${await freePort()}`, `127.0.0.1:${await freePort()}`]
  const home = join(drill.root, name)
  mkdirSync(home, { mode: 0o700 })
  chownToAccount(home)
  const dataDir = join(home, 'data')
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    PATRONI_NAME: name,
    PATRONI_ETCD3_HOSTS: hosts,
    PATRONI_RESTAPI_LISTEN: rest,
    PATRONI_RESTAPI_CONNECT_ADDRESS: rest,
    PATRONI_POSTGRESQL_LISTEN: database,
    PATRONI_POSTGRESQL_CONNECT_ADDRESS: database,
    PATRONI_POSTGRESQL_DATA_DIR: dataDir,
    PATRONI_POSTGRESQL_BIN_DIR: dirname(pg_ctl),
    PATRONI_POSTGRESQL_PGPASS: join(home, 'pgpass'),
    PATRONI_SUPERUSER_USERNAME: 'postgres',
    PATRONI_SUPERUSER_PASSWORD: PASSWORD,
    PATRONI_REPLICATION_USERNAME: 'replicator',
    PATRONI_REPLICATION_PASSWORD: PASSWORD,
    PATRONI_REWIND_USERNAME: 'rewinder',
    PATRONI_REWIND_PASSWORD: PASSWORD,
  }
  let running: DrillProcess
  const start = () => {
    running = drill.run(name, patroni, [CONFIGURATION], { ...ACCOUNT, env, cwd: home })
  }
  const kill = async () => {
    const postmaster = postmasterOf(dataDir)
    // Patroni first: it would start PostgreSQL again.
    await running.kill('SIGKILL')
    killIfThere(postmaster)
  }
  // A killed Patroni leaves PostgreSQL running.
  drill.atEnd(async () => killIfThere(postmasterOf(dataDir)))
  start()
  return { name, database, rest, restUrl: `http://${rest}`, start, kill }
}

/** Starts etcd, two members, and HAProxy before them; returns when the second one confirms commits. */
export async function openPair(drill: Drill, programs: Programs): Promise<Pair> {
  const etcd = await openEtcd(drill, programs.etcd)
  const one = await openMember(drill, programs, 'database1', etcd)
  await until('the first database is the primary', () => isOk(`${one.restUrl}/primary`), 120)
  const two = await openMember(drill, programs, 'database2', etcd)
  const bind = `127.0.0.1:${await freePort()}`
  startHaproxy(drill, programs.haproxy, {
    files: ['calls.cfg', 'database.cfg'],
    env: {
      ACC_BIND: `127.0.0.1:${await freePort()}`,
      WATCH_BIND: `127.0.0.1:${await freePort()}`,
      NODE_1: '127.0.0.1:1',
      NODE_2: '127.0.0.1:1',
      DATABASE_BIND: bind,
      DATABASE_1: one.database,
      DATABASE_2: two.database,
      PATRONI_1: one.rest,
      PATRONI_2: two.rest,
    },
  })
  const members: [Member, Member] = [one, two]
  const isSynchronous = async () =>
    (await Promise.all(members.map(({ restUrl }) => isOk(`${restUrl}/sync`)))).some(Boolean)
  await until('the second database confirms commits', isSynchronous, 180)
  return {
    urlOf: (database, user) => `postgres://${user}:${PASSWORD}@${bind}/${database}`,
    members,
    etcd,
    roles: async () => {
      const isFirst = await isOk(`${one.restUrl}/primary`).catch(() => false)
      return isFirst ? { primary: one, standby: two } : { primary: two, standby: one }
    },
    isReadOnly: async ({ database }) => {
      const client = new pg.Client({ connectionString: `postgres://postgres:${PASSWORD}@${database}/postgres` })
      await client.connect()
      const { rows } = await client
        .query<{ isIn: boolean }>('select pg_is_in_recovery() as "isIn"')
        .finally(() => client.end())
      return rows[0]?.isIn === true
    },
    isSynchronous,
  }
}
