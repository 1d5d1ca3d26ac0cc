// The drill of the WAL archive: writes with a ledger, kill -9 of server and database, the data directory deleted; restored to the
// end and to a moment under load. At most 60 seconds of what was acknowledged may be missing at the end, nothing at the moment.
import { cp, mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { ROOT_GROUP } from '@acc/contract/groups'
import { processesIn } from '@acc/server/src/db/embedded/place.ts'
import { findBases } from '@acc/server/src/walArchive/bases.ts'
import { ADMIN_PASSWORD, drillIn, findNames, until, WRITERS } from '@acc/server/test/archiveWriters.ts'
import { signIn } from '@acc/server/test/signIn.ts'
import { check } from './checks.ts'
import type { Drill } from './drill.ts'

/** Milliseconds of load: more than a segment of the WAL is collected for. */
const LOAD = 80_000
/** Seconds of acknowledged writes that may be lost. */
const ALLOWED = 60

type RestoreOutcome = { throughDT: string; base: string }

async function sizeOf(folder: string): Promise<{ files: number; bytes: number }> {
  const total = { files: 0, bytes: 0 }
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    total.files++
    total.bytes += (await stat(join(entry.parentPath, entry.name))).size
  }
  return total
}

function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended meanwhile.
  }
}

const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`

type Server = Awaited<ReturnType<ReturnType<typeof drillIn>['start']>>

/** Kills a server and its database, and deletes its data. */
async function destroy(server: Server, dataDir: string): Promise<void> {
  server.child.kill('SIGKILL')
  await until(async () => {
    const left = processesIn(join(dataDir, 'pg'))
    for (const pid of left) killIfThere(pid)
    return left.length === 0
  })
  await server.ended
  await rm(dataDir, { recursive: true })
}

type Parts = { root: string; archive: string; tools: ReturnType<typeof drillIn> }

async function restore({ root, archive, tools }: Parts, name: string, ...options: string[]) {
  const dataDir = join(root, name)
  await mkdir(dataDir)
  await cp(join(root, 'secret.key'), join(dataDir, 'secret.key'))
  const done = await tools.requireDone<RestoreOutcome>(['restore', '--from', archive, ...options], dataDir)
  return { dataDir, names: await findNames(dataDir), ...done }
}

/** Loses a server under load; returns what it acknowledged, when it was killed, and a moment in the middle. */
async function loseUnderLoad({ root, archive, tools }: Parts) {
  const data = join(root, 'data')
  const server = await tools.start(data, { ACC_WAL_ARCHIVE_DIR: archive })
  await cp(join(data, 'secret.key'), join(root, 'secret.key'))
  await until(async () => (await findBases(archive)).length === 1)
  const { ledger, stop } = tools.load(await signIn(server.baseUrl, 'admin', ADMIN_PASSWORD))
  await wait(LOAD / 2)
  const moment = Date.now()
  await wait(LOAD / 2)
  const killed = Date.now()
  await stop(() => server.child.kill('SIGKILL'))
  await destroy(server, data)
  const { files, bytes } = await sizeOf(archive)
  console.log(`Load          ${WRITERS} writers, ${ledger.length} writes acknowledged in ${LOAD / 1000} s
Archive       ${files} files, ${megabytes(bytes)}, with its base backup`)
  return { ledger, moment, killed }
}

const NAME = 'after the restore'

/** The restored server archives in turn: whether what it acknowledged is there after another loss. */
async function loseAgain(parts: Parts, dataDir: string): Promise<boolean> {
  const { archive, tools } = parts
  const server = await tools.start(dataDir, { ACC_WAL_ARCHIVE_DIR: archive })
  await until(async () => (await findBases(archive)).length === 2)
  const calls = await signIn(server.baseUrl, 'admin', ADMIN_PASSWORD)
  await calls.groups.create({ parentIdx: ROOT_GROUP, name: NAME })
  await wait(ALLOWED * 1000)
  await destroy(server, dataDir)
  const { names, base, seconds } = await restore(parts, 'second')
  console.log(
    `Second loss   restored from ${base} in ${seconds} s; the write after the first restore is ${names.has(NAME) ? 'there' : 'MISSING'}`,
  )
  return names.has(NAME)
}

export async function drillArchiveMoment({ root }: Drill): Promise<void> {
  const parts = { root, archive: join(root, 'archive'), tools: drillIn(root) }
  try {
    await mkdir(parts.archive)
    const { ledger, moment, killed } = await loseUnderLoad(parts)
    const latest = await restore(parts, 'latest')
    const lost = ledger.filter(({ name }) => !latest.names.has(name))
    const seconds = Math.max(0, ...lost.map(({ at }) => (killed - at) / 1000))
    const broken = lost.filter(({ at }) => at < Date.parse(latest.throughDT))
    const then = await restore(parts, 'then', '--until', new Date(moment).toISOString())
    const missing = ledger.filter(({ name, at }) => at < moment && !then.names.has(name))
    const early = ledger.filter(({ name, begun }) => begun > moment && then.names.has(name))
    console.log(`Latest        restored in ${latest.seconds} s, up to ${latest.throughDT}
              ${lost.length} acknowledged writes lost, of the last ${seconds.toFixed(1)} s; ${broken.length} of them from before that moment
Moment        restored in ${then.seconds} s; ${missing.length} writes acknowledged before it missing, ${early.length} begun after it there`)
    const isWhole = missing.length + early.length + broken.length === 0
    const isThere = await loseAgain(parts, latest.dataDir)
    check(
      isThere && isWhole && seconds <= ALLOWED && ledger.length > 0,
      `at most ${ALLOWED} s lost, and nothing before the moment`,
    )
  } finally {
    await parts.tools.end()
  }
}
