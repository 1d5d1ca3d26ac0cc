// Runs and their rows as people see them: managers their own, system administrators all.
import { Role } from '@acc/contract/labels/access'
import { flagOf } from '@acc/contract/labels/flags'
import { IMPORT_FIELDS, ImportFault, ImportState } from '@acc/contract/labels/userImports'
import type { ImportCounts, ImportRow, UserImport, userImports } from '@acc/contract/userImports'
import { sql } from 'kysely'
import type { z } from 'zod'
import type { Actor, Language, Read } from '../../core/context.ts'
import { fail } from '../../core/errors.ts'
import { filterBy } from '../../db/filters.ts'
import { type List, listOf, mapList } from '../../db/list.ts'
import type { Reader } from '../../db/open.ts'
import { contains, nameContains } from '../../db/search.ts'
import type { RunRow } from './userImports.queries.ts'

type RunFilter = z.output<(typeof userImports)['search']['input']>
type RowFilter = z.output<(typeof userImports)['searchRows']['input']>

const visibleRuns = (db: Reader, actor: Actor) =>
  db
    .selectFrom('userImports')
    .select([
      'idx',
      'source',
      'state',
      'authorIdx',
      'authorName',
      'fileName',
      'hash',
      'options',
      'fields',
      'doneRows',
      'totalRows',
      'counts',
      'brake',
      'refusal',
      'startDT',
      'endDT',
    ])
    .$if(actor.role !== Role.ADMIN, (query) => query.where('authorIdx', '=', actor.idx))
type VisibleRun = Awaited<ReturnType<ReturnType<typeof visibleRuns>['executeTakeFirstOrThrow']>>

const NO_COUNTS: ImportCounts = {
  ...{ unchanged: 0, create: 0, update: 0, move: 0, enable: 0, disable: 0, error: 0 },
  ...{ groups: 0, applied: 0, skipped: 0, failed: 0 },
}

type Typed = Pick<RunRow, 'options' | 'fields' | 'counts' | 'brake' | 'refusal'>
function shownRun({ authorIdx: _, ...row }: VisibleRun): z.input<typeof UserImport> {
  const run = row as Omit<typeof row, keyof Typed> & Typed
  return { ...run, counts: { ...NO_COUNTS, ...run.counts }, isEditable: flagOf(run.state < ImportState.DONE) }
}

/** Searches the runs that the viewer sees. */
export function searchRuns({ read, actor }: Read, filter: RunFilter): List<z.input<typeof UserImport>> {
  const texts = {
    fileName: (text: string) => nameContains(sql.ref('userImports.fileName'), text),
    authorName: (text: string) => nameContains(sql.ref('userImports.authorName'), text),
  }
  const { condition } = filterBy(filter, texts, {
    source: (source) => sql<boolean>`source = ${source}`,
    isOpen: () => sql<boolean>`state < ${ImportState.DONE}`,
  })
  const list = listOf(read, filter, {
    matches: visibleRuns(read, actor).where(condition),
    sorts: { idx: sql.ref('userImports.idx'), startDT: sql.ref('userImports.startDT') },
  })
  return mapList(list, shownRun)
}

/** Returns a run that the viewer sees. Others do not exist for them. */
export async function findVisibleRun({ read, actor }: Read, { idx }: { idx: number }) {
  const row = await visibleRuns(read, actor).where('idx', '=', idx).executeTakeFirst()
  if (row === undefined) fail('NOT_ALLOWED')
  return shownRun(row)
}

type Fault = ImportRow['faults'][number]
const faultText = (language: Language, { field, fault, hint }: Fault): string => {
  const label = field === null ? '' : `${IMPORT_FIELDS[field][language]}: `
  return `${label}${ImportFault.labels[fault][language]}${hint === '' ? '' : ` (${hint})`}`
}
const changeText = (language: Language, { field, old, new: value }: ImportRow['changes'][number]): string =>
  `${IMPORT_FIELDS[field][language]}: ${old === null ? '' : `${old || '-'} → `}${value || '-'}`

const plannedRows = (db: Reader, importIdx: number) =>
  db
    .selectFrom('userImportRows')
    .select([
      'userImportRows.idx',
      'line',
      'action',
      'key',
      'id',
      'name',
      'email',
      'group',
      'expireDT',
      'result',
      'userIdx',
      'changes',
      'faults',
    ])
    .where('importIdx', '=', importIdx)
type PlannedRow = Awaited<ReturnType<ReturnType<typeof plannedRows>['executeTakeFirstOrThrow']>>

function shownRowTo({ actor, language }: Read): (row: PlannedRow) => z.input<typeof ImportRow> {
  return ({ key, ...row }) => {
    const changes = row.changes as ImportRow['changes']
    const faults = row.faults as ImportRow['faults']
    const isAdmin = actor.role === Role.ADMIN
    return {
      ...row,
      ...(isAdmin && { key: key ?? '' }),
      id: row.id ?? '',
      name: row.name ?? '',
      email: row.email ?? '',
      group: row.group ?? '',
      expireDT: row.expireDT || null,
      changes,
      faults,
      changeText: changes.map((change) => changeText(language, change)).join('; '),
      faultText: faults.map((fault) => faultText(language, fault)).join(' '),
    }
  }
}

/** Searches the rows of a plan. */
export async function searchRows(ctx: Read, filter: RowFilter): Promise<List<z.input<typeof ImportRow>>> {
  const { read } = ctx
  await findVisibleRun(ctx, { idx: filter.importIdx })
  const texts = {
    id: (text: string) => contains(sql.ref('userImportRows.id'), text),
    name: (text: string) => nameContains(sql.ref('userImportRows.name'), text),
    email: (text: string) => contains(sql.ref('userImportRows.email'), text),
  }
  const { condition } = filterBy(filter, texts, {
    importIdx: null,
    actions: (actions) => sql<boolean>`action = any(${actions}::smallint[])`,
    result: (result) => sql<boolean>`result = ${result}`,
  })
  const list = listOf(read, filter, {
    matches: plannedRows(read, filter.importIdx).where(condition),
    sorts: {
      idx: sql.ref('userImportRows.idx'),
      line: sql.ref('userImportRows.line'),
      action: sql.ref('userImportRows.action'),
      id: sql`lower("userImportRows".id)`,
      name: sql`"userImportRows".name collate people`,
    },
  })
  return mapList(list, shownRowTo(ctx))
}
