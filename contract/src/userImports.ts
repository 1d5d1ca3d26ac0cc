// Imports of people from files and directories: a plan compares all rows with the accounts, and a person applies it
// (docs/decisions/29-user-imports.md). Managers see their own runs, system administrators all.
import { z } from 'zod'
import { page } from './core/access.ts'
import { type Columns, queryOf, shapeOf } from './core/columns.ts'
import { ByIdx, day, Empty, flag, idx, moment, nameText, searchText, sha256 } from './core/fields.ts'
import { filterType } from './core/paging.ts'
import { defineRoutes, del, download, form, get, list, post } from './core/route.ts'
import { Level } from './labels/access.ts'
import {
  IMPORT_FIELD_NAMES,
  ImportAction,
  ImportFault,
  ImportRefusal,
  ImportResult,
  ImportSource,
  ImportState,
} from './labels/userImports.ts'

/** Bytes of a file at most. */
export const MAX_IMPORT_FILE = 32 * 2 ** 20
/** People of one run at most. */
export const MAX_IMPORT_ROWS = 200_000
/** A plan that suspends more of the source's people than this share, and at least so many, needs a confirmation. */
export const BRAKE = { percent: 5, people: 20 } as const

/** A group that an import creates: unlike in the form, departments such as 영업 or HR may have two characters. */
export const importedGroupName = nameText(1, 50)

const field = z.enum(IMPORT_FIELD_NAMES)

/** How a run treats groups, accounts and passwords. */
export const ImportOptions = z.object({
  /** 1: missing groups of a path are created, where the author may create groups. */
  addsGroups: flag.default(0),
  /** 1: existing accounts of other sources, or made by hand, belong to this source from now on. */
  adopts: flag.default(0),
  /** 1: the source lists all of its people, so that missing ones are suspended. */
  isComplete: flag.default(0),
  /** 1: new people get a temporary password by email; otherwise they use single sign-on or the forgotten password. */
  mailsPasswords: flag.default(0),
})
export type ImportOptions = z.output<typeof ImportOptions>

export const Refusal = z.object({
  reason: z.literal(ImportRefusal.values),
  line: z.int().nullable(),
  text: z.string(),
  hint: z.string(),
})
export type Refusal = z.output<typeof Refusal>

/** Rows of a plan by what it does, and by their results. */
const Counts = z.object({
  unchanged: z.int(),
  create: z.int(),
  update: z.int(),
  move: z.int(),
  enable: z.int(),
  disable: z.int(),
  error: z.int(),
  /** Groups that the plan creates. */
  groups: z.int(),
  applied: z.int(),
  skipped: z.int(),
  failed: z.int(),
})
export type ImportCounts = z.output<typeof Counts>

const RUN_COLUMNS = {
  startDT: { ko: '시작', en: 'Started', schema: moment, as: 'moment', isSortable: true },
  source: { ko: '원본', en: 'Source', schema: z.literal(ImportSource.values), values: ImportSource.labels },
  fileName: { ko: '파일', en: 'File', schema: z.string(), filter: searchText, isInSearchBox: true },
  state: { ko: '상태', en: 'State', schema: z.literal(ImportState.values), values: ImportState.labels },
  authorName: { ko: '작업자', en: 'Author', schema: z.string(), filter: searchText, isInSearchBox: true },
  endDT: { ko: '종료', en: 'Ended', schema: moment.nullable(), as: 'moment' },
} satisfies Columns

export const UserImport = z.object({
  idx,
  ...shapeOf(RUN_COLUMNS),
  /** SHA-256 of the file, or of the entries of a directory; empty until they are read. */
  hash: z.union([sha256, z.literal('')]),
  options: ImportOptions,
  /** The columns of the file. */
  fields: z.array(field),
  /** Rows that were read so far, and later planned and applied: progress of the state. */
  doneRows: z.int(),
  /** Null while it is not known. */
  totalRows: z.int().nullable(),
  counts: Counts,
  /** Why the plan waits for a confirmation: people of the source, and how many of them it suspends. */
  brake: z.object({ people: z.int(), disables: z.int() }).nullable(),
  refusal: Refusal.nullable(),
  /** 1: the viewer may apply, pause or cancel it now. */
  isEditable: flag,
})
export type UserImport = z.output<typeof UserImport>

const text = z.string().nullable()
/** A field that changes. `old` is null for new people. */
const Change = z.object({ field, old: text, new: text })
const Fault = z.object({ field: field.nullable(), fault: z.literal(ImportFault.values), hint: z.string() })

const ROW_COLUMNS = {
  /** Of the file, the header being line 1; null for people who are missing in it, and for a directory. */
  line: { ko: '줄', en: 'Line', schema: z.int().nullable(), isSortable: true },
  action: {
    ko: '작업',
    en: 'Action',
    schema: z.literal(ImportAction.values),
    values: ImportAction.labels,
    isSortable: true,
  },
  key: { ko: '키', en: 'Key', schema: z.string().optional(), for: 'admin' },
  id: { ko: '아이디', en: 'ID', schema: z.string(), isSortable: true, filter: searchText, isInSearchBox: true },
  name: { ko: '이름', en: 'Name', schema: z.string(), isSortable: true, filter: searchText, isInSearchBox: true },
  email: { ko: '이메일', en: 'Email', schema: z.string(), filter: searchText, isInSearchBox: true },
  group: { ko: '그룹', en: 'Group', schema: z.string() },
  /** Changed fields with old and new value, as one text for CSV. */
  changeText: { ko: '변경', en: 'Changes', schema: z.string() },
  faultText: { ko: '오류', en: 'Errors', schema: z.string() },
  result: { ko: '결과', en: 'Result', schema: z.literal(ImportResult.values), values: ImportResult.labels },
} satisfies Columns

export const ImportRow = z.object({
  idx,
  ...shapeOf(ROW_COLUMNS),
  /** The account, once it exists. */
  userIdx: idx.nullable(),
  expireDT: day.nullable(),
  changes: z.array(Change),
  faults: z.array(Fault),
})
export type ImportRow = z.output<typeof ImportRow>

const edit = page('user', Level.EDIT)
const ofRun = { input: ByIdx, access: edit, assumed: true } as const
const write = { ...ofRun, data: Empty, changes: ['userImports'] } as const
const RECORDED_AT_END = { none: 'the run writes its row when it ends, and a row for each person' } as const

export const userImports = defineRoutes({
  /** An example of a file in the caller's language: UTF-8 with BOM, as Excel opens it. */
  downloadTemplate: download('/Users/Import/Template', {
    mediaType: 'text/csv',
    input: Empty,
    data: z.string(),
    access: edit,
    errors: [],
    audit: { none: 'an example without people' },
    assumed: true,
  }),
  /**
   * Takes a CSV file (UTF-8, UTF-16 or CP949) and starts a plan. Each person has at most one run that is not ended;
   * another one is 170.
   */
  upload: form('/Users/Import', {
    input: ImportOptions,
    data: ByIdx,
    access: edit,
    errors: ['REQUEST_STATE'],
    changes: ['userImports'],
    maxFile: MAX_IMPORT_FILE,
    audit: RECORDED_AT_END,
    assumed: true,
  }),
  /** Searches the runs, the newest first. */
  search: list('/Users/Imports/Search', {
    input: queryOf(RUN_COLUMNS).extend({
      filterType,
      source: z.literal(ImportSource.values).optional(),
      /** 1: only runs that have not ended. */
      isOpen: z.literal(1).optional(),
    }),
    item: UserImport,
    columns: RUN_COLUMNS,
    access: edit,
    errors: [],
    shows: ['userImports'],
    assumed: true,
  }),
  /** Returns one run with its progress. */
  find: get('/Users/Import', { ...ofRun, data: UserImport, errors: [], shows: ['userImports'] }),
  /** Searches the rows of a plan, with their results once it is applied. */
  searchRows: list('/Users/Import/Rows/Search', {
    input: queryOf(ROW_COLUMNS).extend({
      filterType,
      importIdx: idx,
      /** Only rows of one of these actions. */
      actions: z.array(z.literal(ImportAction.values)).max(ImportAction.values.length).optional(),
      result: z.literal(ImportResult.values).optional(),
    }),
    item: ImportRow,
    columns: ROW_COLUMNS,
    access: edit,
    errors: [],
    shows: ['userImports'],
    assumed: true,
  }),
  /**
   * Applies a plan, or continues a paused one. A plan with a brake needs `disables`, the number that it suspends.
   * Another number is 984. 170: there is nothing to apply.
   */
  apply: post('/Users/Import/Apply', {
    ...write,
    input: z.object({ idx, disables: z.int().min(0).optional() }),
    errors: ['REQUEST_STATE', 'CHANGED_MEANWHILE'],
    audit: RECORDED_AT_END,
  }),
  /** Pauses after the present block. */
  pause: post('/Users/Import/Pause', { ...write, errors: ['REQUEST_STATE'], audit: RECORDED_AT_END }),
  /** Cancels a plan, or the rest of one that is applied. Applied rows stay. */
  cancel: del('/Users/Import', { ...write, errors: ['REQUEST_STATE'], audit: 'userImport' }),
})
