// Declarations of calls: method, path, input, response, access, errors, history and topics. The types require all of
// it. Server, console, desktop client, OpenAPI and the access matrix are derived from these declarations.
import { z } from 'zod'
import type { Access } from './access.ts'
import type { CsvColumn } from './columns.ts'
import type { ErrorName } from './errors.ts'
import { MAX_ROWS, pageOf } from './paging.ts'
import type { Topic } from './topics.ts'

/**
 * The kind of history that the call writes; several if its input decides, such as the direction of a request.
 * index.ts checks the names, since the kinds are declared above the domains.
 */
export type Audit = string | readonly string[]
/** Why a write leaves no history row. */
export type NoAudit = { none: string }

/** A part of the register step of administrators (spec S1 §2). */
export type RegisterPart = 'license' | 'mail'

type Common = {
  path: `/${string}`
  /** GET, uploads and downloads: the query string; forms: the parts other than the file; otherwise the JSON body. */
  input: z.ZodObject
  data: z.ZodType
  access: Access
  errors: readonly ErrorName[]
  /** The specification does not show the path of this call. */
  assumed?: true
  /** Remains available in external mode while this part of the register step is due. */
  inExternalMode?: RegisterPart
  /** Sent without cookies; the server ignores them on this call. */
  credentials?: 'omit'
}
type Read = Common & {
  method: 'GET'
  /**
   * `json`: an envelope; `list`: one that also answers CSV; `download`: bytes; `events`: server-sent events; `page`:
   * HTML; `redirect`: the address that the browser opens next.
   */
  kind: 'json' | 'list' | 'download' | 'events' | 'page' | 'redirect'
  /** What the data depends on: a live event or a write of one of these topics makes it stale. */
  shows: readonly Topic[]
  /** `false`: the call does not extend an idle session. */
  slides?: false
  /** The columns of a list in their order: headings of CSV and tables. */
  columns?: Record<string, CsvColumn>
  /** The media type of a download. */
  mediaType?: string
  /** Largest `rowsCount` of a JSON response of a list; CSV is not limited. */
  maxRows?: number
  /** May be read from a copy of the database that has all that was committed before the call; CSV always may. */
  fromReplica?: true
  /** For reads that are recorded in the history, for those that store what they return, and downloads that are not. */
  audit?: Audit | NoAudit
  /** Topics that a read may change, such as a download that finds its release withdrawn. */
  changes?: readonly Topic[]
}
type Write = Common & {
  method: 'POST' | 'PUT' | 'DELETE'
  /**
   * `json`: a JSON body; `upload`: the body is the bytes of a file, the input is in the query string; `form`: a
   * multipart body with one file.
   */
  kind: 'json' | 'upload' | 'form'
  /** Bytes of a JSON body at most, if not the server's limit. */
  maxBody?: number
  /** Bytes of the file of a form at most. */
  maxFile?: number
  /** The part of a form that holds its file, if not `file`. */
  filePart?: string
  /** The file of a form is not kept in memory: the handler reads it while it arrives, as the last part of its form. */
  isStreamed?: true
  audit: Audit | NoAudit
  /** What the call changes. A change with history rows announces the first one always, the others where they apply. */
  changes: readonly Topic[]
}
export type Route = Read | Write
export type Routes = Record<string, Route>

export const defineRoutes = <const R extends Routes>(routes: R): R => routes

/** A spec without fields that its kind of call does not have. */
type Exact<S, Fields> = S & { [K in Exclude<keyof S, keyof Fields>]: never }

/** Returns the function that declares calls of a kind: `fixed` is common to all of them, `Fields` specific to each. */
const declare =
  <Fields>() =>
  <const F extends Partial<Route>>(fixed: F) =>
  <const P extends `/${string}`, const S extends Fields>(path: P, spec: Exact<S, Fields>): F & { path: P } & S => ({
    ...fixed,
    path,
    ...spec,
  })

type Fields = Omit<Common, 'path'>
type ReadFields = Fields & Pick<Read, 'shows' | 'slides' | 'audit' | 'fromReplica'>
type WriteFields = Fields & Pick<Write, 'audit' | 'changes'>
type DownloadFields = Fields & { audit: Audit | NoAudit; mediaType: string } & Pick<Read, 'changes'>

export const get = declare<ReadFields>()({ method: 'GET', kind: 'json' })
/** A stream of server-sent events. */
export const eventStream = declare<ReadFields>()({ method: 'GET', kind: 'events' })
/** A read that stores what it returns, such as a key that is made for the caller. */
export const getNew = declare<Fields & { audit: NoAudit }>()({ method: 'GET', kind: 'json', shows: [] })
/** A download: bytes with a file name. Errors are envelopes as on every call. */
export const download = declare<DownloadFields>()({ method: 'GET', kind: 'download', shows: [] })
/** A page that the browser opens by itself, such as a manual. Errors are envelopes as on every call. */
export const page = declare<Fields>()({ method: 'GET', kind: 'page', shows: [] })
/** A page that the browser opens itself and that sends it to another address. */
export const redirect = declare<Pick<Read, 'input' | 'errors' | 'audit' | 'changes'>>()({
  method: 'GET',
  kind: 'redirect',
  data: z.url(),
  access: 'public',
  shows: [],
})

export const post = declare<WriteFields & Pick<Write, 'maxBody'>>()({ method: 'POST', kind: 'json' })
export const put = declare<WriteFields & Pick<Write, 'maxBody'>>()({ method: 'PUT', kind: 'json' })
export const del = declare<WriteFields & Pick<Write, 'maxBody'>>()({ method: 'DELETE', kind: 'json' })
/** An upload: the bytes of a file as the body of a PUT. */
export const upload = declare<WriteFields>()({ method: 'PUT', kind: 'upload' })
/** A form: a multipart POST with one file, kept in memory, and the input as its other parts. */
export const form = declare<WriteFields & { maxFile: number }>()({ method: 'POST', kind: 'form' })
/** A form whose file may be larger than memory; the input comes before it. */
export const streamedForm = declare<WriteFields & { maxFile: number; filePart: string }>()({
  method: 'POST',
  kind: 'form',
  isStreamed: true,
})

/** The columns of a list: every key is a field of the item. Derived lists do not know their keys by type. */
type ColumnsOf<C, T extends z.ZodObject> = string extends keyof C
  ? C
  : C & { [K in Exclude<keyof C, keyof z.output<T>>]: never }

/** A paged list. */
export const list = <
  const P extends `/${string}`,
  I extends z.ZodObject,
  T extends z.ZodObject,
  const A extends Access,
  const E extends readonly ErrorName[],
  C extends Record<string, CsvColumn> = Record<string, CsvColumn>,
>(
  path: P,
  spec: Omit<ReadFields, 'input' | 'data' | 'access' | 'errors' | 'audit'> & {
    input: I
    item: T
    access: A
    errors: E
    columns: ColumnsOf<C, T>
    maxRows?: number
  },
) => {
  const { item, columns, ...rest } = spec
  return {
    method: 'GET',
    kind: 'list',
    path,
    maxRows: MAX_ROWS,
    ...rest,
    data: pageOf(item),
    columns: columns as C,
  } as const
}

export type InputOf<R extends Route> = z.input<R['input']>
export type DataOf<R extends Route> = z.output<R['data']>
