// Uploads of people, and what a person does with a plan: apply, pause, continue, cancel.

import { Readable } from 'node:stream'
import type { Empty } from '@acc/contract/core/fields'
import { Role } from '@acc/contract/labels/access'
import { IMPORT_FIELDS, type ImportField, ImportSource, ImportState } from '@acc/contract/labels/userImports'
import type { ImportOptions } from '@acc/contract/userImports'
import type { Actor, Change, Download, FormFile, FreeContext, Language } from '../../core/context.ts'
import { fail } from '../../core/errors.ts'
import { openSlots } from '../../core/slots.ts'
import type { Tx } from '../../db/open.ts'
import { RefusedSource, type Source } from './source.ts'
import { readFile } from './userImports.file.ts'
import { authorColumns, lockRun, type RunRow, updateRun } from './userImports.queries.ts'
import { announceRun, endRun, enqueueRun } from './userImports.runs.ts'
import { openImport, storeSource } from './userImports.start.ts'

const EXAMPLES: Record<Language, Partial<Record<ImportField, string>>[]> = {
  ko: [
    {
      id: 'gildong.hong',
      name: '홍길동',
      email: 'gildong.hong@example.com',
      group: '본사 > 영업팀',
      expireDT: '',
      isEnabled: '1',
    },
    {
      id: 'haneul.kim',
      name: '김하늘',
      email: 'haneul.kim@example.com',
      group: '본사 > 개발팀',
      expireDT: '2027-12-31',
      isEnabled: '1',
    },
  ],
  en: [
    {
      id: 'jane.doe',
      name: 'Jane Doe',
      email: 'jane.doe@example.com',
      group: 'Head office > Sales',
      expireDT: '',
      isEnabled: '1',
    },
    {
      id: 'john.roe',
      name: 'John Roe',
      email: 'john.roe@example.com',
      group: 'Head office > Research',
      expireDT: '2027-12-31',
      isEnabled: '1',
    },
  ],
}
const TEMPLATE_FIELDS = ['id', 'name', 'email', 'group', 'expireDT', 'isEnabled'] as const

/** Returns an example of a file: UTF-8 with BOM, as Excel opens it. */
export function downloadTemplate({ language }: { language: Language }): Download {
  const lines = [
    TEMPLATE_FIELDS.map((field) => IMPORT_FIELDS[field][language]),
    ...EXAMPLES[language].map((example) => TEMPLATE_FIELDS.map((field) => example[field] ?? '')),
  ]
  const bytes = Buffer.from(`\ufeff${lines.map((cells) => `${cells.join(',')}\r\n`).join('')}`)
  return {
    fileName: language === 'ko' ? '사용자.csv' : 'users.csv',
    size: bytes.length,
    stream: Readable.from([bytes]),
  }
}

/** A file is in memory several times while it is read: others wait. */
const readings = openSlots(1, 20, () => fail('TOO_MANY_REQUESTS', { retryAfter: 10 }))

/** Returns the source of an uploaded file, or the refusal. */
async function readUpload(file: FormFile, actor: Actor): Promise<Source | RefusedSource> {
  try {
    return await readings.run(() => readFile(file.bytes, actor.role === Role.ADMIN))
  } catch (error) {
    if (error instanceof RefusedSource) return error
    throw error
  }
}

type Upload = FreeContext<Actor> & { file: FormFile }

/** Opens a run for a file and stores its rows. The plan follows. */
export async function uploadFile(ctx: Upload, options: ImportOptions): Promise<{ idx: number }> {
  const { services, actor, ip } = ctx
  const source = await readUpload(ctx.file, actor)
  const open = {
    source: ImportSource.FILE,
    fileName: ctx.file.name,
    options,
    baseGroupIdx: null,
    author: { ...actor, ip },
  }
  return ctx.change(async (tx) => {
    const idx = await openImport(tx, services, open)
    const run = await lockRun(tx, idx)
    if (run === undefined) fail('REQUEST_STATE')
    if (source instanceof RefusedSource) {
      // The job ends the run, with its history row.
      await updateRun(tx, idx, { refusal: source.refusal })
      await enqueueRun(tx, services, idx)
    } else await storeSource(tx, services, run, source)
    return { result: { idx } }
  })
}

/** Locks a run that the actor may direct. Others do not exist for them. */
async function requireRun(tx: Tx, actor: Actor, idx: number): Promise<RunRow> {
  const run = await lockRun(tx, idx)
  if (run === undefined || (actor.role !== Role.ADMIN && run.authorIdx !== actor.idx)) fail('NOT_ALLOWED')
  return run
}

/** Applies a plan, or continues a paused one. */
export function applyRun(
  ctx: FreeContext<Actor>,
  { idx, disables }: { idx: number; disables?: number | undefined },
): Promise<Empty> {
  const { services, actor, ip } = ctx
  return ctx.change(async (tx) => {
    const run = await requireRun(tx, actor, idx)
    const isPlanned = run.state === ImportState.PLANNED
    if (!isPlanned && run.state !== ImportState.PAUSED) fail('REQUEST_STATE')
    const { create = 0, update = 0, move = 0, enable = 0, disable = 0 } = run.counts
    if (isPlanned && create + update + move + enable + disable === 0) fail('REQUEST_STATE')
    if (isPlanned && run.brake !== null && run.brake.disables !== disables) fail('CHANGED_MEANWHILE')
    const columns = { state: ImportState.APPLYING, activeDT: services.clock.now() } as const
    const begun = { doneRows: 0, totalRows: create + update + move + enable + disable }
    // The history of a synchronization that was held back names the person who confirmed it.
    const confirmed = run.source !== ImportSource.FILE && authorColumns({ ...actor, ip })
    await updateRun(tx, idx, isPlanned ? { ...columns, ...begun, ...confirmed } : columns)
    await enqueueRun(tx, services, idx)
    await announceRun(tx, run)
    return { result: {} }
  })
}

/** Pauses a run after its present block. */
export function pauseRun(ctx: FreeContext<Actor>, { idx }: { idx: number }): Promise<Empty> {
  return ctx.change(async (tx) => {
    const run = await requireRun(tx, ctx.actor, idx)
    if (run.state !== ImportState.APPLYING) fail('REQUEST_STATE')
    await updateRun(tx, idx, { state: ImportState.PAUSED })
    await announceRun(tx, run)
    return { result: {} }
  })
}

/** Cancels a plan, or the rest of one. What was applied remains. */
export function cancelRun(ctx: Change<'userImport'>, { idx }: { idx: number }): Promise<Empty> {
  return ctx.change(async (tx) => {
    const run = await requireRun(tx, ctx.actor, idx)
    if (run.state >= ImportState.DONE) fail('REQUEST_STATE')
    return { result: {}, log: [await endRun(tx, ctx.services, run, { state: ImportState.CANCELED })] }
  })
}
