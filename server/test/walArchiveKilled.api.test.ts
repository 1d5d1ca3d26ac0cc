// A server that archives its WAL is killed twice, and its data are deleted: restored to a moment, it has what was acknowledged
// before, and nothing that was begun later.
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { processesIn } from '../src/db/embedded/place.ts'
import { findBases } from '../src/walArchive/bases.ts'
import { type AcknowledgedWrite, ADMIN_PASSWORD, drillIn, findNames, until } from './archiveWriters.ts'
import type { ServerProcess } from './process.ts'
import { endedAfterAll } from './processes.ts'
import { signIn } from './signIn.ts'

const root = await mkdtemp(join(tmpdir(), 'acc-killed-'))
endedAfterAll(root)
const tools = drillIn(root)
const [dataDir, archive] = [join(root, 'data'), join(root, 'archive')]

const start = () => tools.start(dataDir, { ACC_WAL_ARCHIVE_DIR: archive })

/** Writes until some are acknowledged, and returns them. */
async function load(server: ServerProcess, prefix: string): Promise<AcknowledgedWrite[]> {
  const calls = await signIn(server.baseUrl, 'admin', ADMIN_PASSWORD)
  const ledger: AcknowledgedWrite[] = []
  for (let number = 0; number < 20; number++) {
    const [name, begun] = [`${prefix} ${number}`, Date.now()]
    await calls.groups.create({ parentIdx: 1, name })
    ledger.push({ name, begun, at: Date.now() })
  }
  return ledger
}

async function kill(server: ServerProcess): Promise<void> {
  for (const pid of [...processesIn(join(dataDir, 'pg')), server.child.pid ?? 0]) process.kill(pid, 'SIGKILL')
  await server.ended
  await until(async () => processesIn(join(dataDir, 'pg')).length === 0)
}

test('a killed server goes on with its archive, and its lost data are restored to a moment', {
  timeout: 240_000,
}, async () => {
  await mkdir(archive)
  const first = await start()
  await until(async () => (await findBases(archive)).length === 1)
  const ledger = await load(first, 'first')
  await kill(first)

  const second = await start()
  ledger.push(...(await load(second, 'second')))
  const moment = Date.now()
  await until(async () => Date.now() > moment + 2)
  ledger.push(...(await load(second, 'third')))
  const calls = await signIn(second.baseUrl, 'admin', ADMIN_PASSWORD)
  // At most a minute passes until it is archived.
  const written = Date.now()
  await until(async () => Date.parse((await calls.systemStatus.find({})).archive?.throughDT ?? '') > written)
  expect(Date.now() - written).toBeLessThan(60_000)
  expect(await findBases(archive), 'no WAL was missing').toHaveLength(1)
  await cp(join(dataDir, 'secret.key'), join(root, 'secret.key'))
  await kill(second)
  await rm(dataDir, { recursive: true })

  const restore = async (name: string, ...options: string[]) => {
    const place = join(root, name)
    await mkdir(place)
    await cp(join(root, 'secret.key'), join(place, 'secret.key'))
    await tools.requireDone(['restore', '--from', archive, ...options], place)
    const names = await findNames(place)
    return ledger.filter((write) => names.has(write.name))
  }
  expect(await restore('then', '--until', new Date(moment).toISOString())).toEqual(
    ledger.filter(({ at }) => at <= moment),
  )
  expect(await restore('latest')).toEqual(ledger)
})
