// Figures of the installation over time: a job stores a sample every ten minutes, on one node.
import { stat, statfs } from 'node:fs/promises'
import type { StatusSample } from '@acc/contract/systemStatus'
import { days, later, minutes } from '../../clock.ts'
import { asSystem, type Job } from '../../core/job.ts'
import type { HandlerServices, Services } from '../../core/services.ts'
import type { Reader } from '../../db/open.ts'
import type { Env } from '../../env.ts'
import {
  deleteSamples,
  findConnections,
  findHourlySamples,
  findMailState,
  insertSample,
} from './systemStatus.queries.ts'

const STEP = minutes(10)
const KEPT = days(30)

/** Returns the free bytes of the embedded database's disk; null if that is also the disk of the files. */
async function findDatabaseFree({ databaseUrl, dataDir, files }: Env): Promise<number | null> {
  if (databaseUrl !== undefined) return null
  if ('folder' in files && (await stat(files.folder)).dev === (await stat(dataDir)).dev) return null
  const { bavail, bsize } = await statfs(dataDir)
  return bavail * bsize
}

/** Stores the present figures. Another sample of the same ten minutes is kept instead. */
export async function sampleStatus(services: Services): Promise<void> {
  const { db, clock, env, files, jobs } = services
  const now = clock.now()
  const [filesFree, databaseFree, mail, rows, connections] = await Promise.all([
    files.free().catch(() => undefined),
    findDatabaseFree(env).catch(() => null),
    findMailState(db.read, now),
    jobs.list(db.read),
    findConnections(db.read),
  ])
  const sample = {
    sampleDT: new Date(Math.floor(now.getTime() / STEP) * STEP),
    filesFree: filesFree ?? null,
    databaseFree,
    mailsWaiting: mail.waiting,
    jobsWaiting: rows.reduce((sum, { waiting }) => sum + waiting, 0),
    connections,
  }
  await asSystem(services, async (tx) => {
    await insertSample(tx, sample)
    await deleteSamples(tx, later(now, -KEPT))
  })
}

/** Returns the samples of the kept time, one for each hour. */
export async function readSamples(db: Reader, { clock }: HandlerServices): Promise<{ samples: StatusSample[] }> {
  const rows = await findHourlySamples(db, later(clock.now(), -KEPT))
  return { samples: rows.map(({ sampleDT, ...sample }) => ({ ...sample, sampleDT: sampleDT.toISOString() })) }
}

export const statusSampleJob: Job = { name: 'sampleStatus', cron: '*/10 * * * *', run: sampleStatus }
