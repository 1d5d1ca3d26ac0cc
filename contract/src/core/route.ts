// Declarations of calls: method, path, input, response, access, errors, history and topics. The types require all of it.
// Server, console, desktop client, OpenAPI and the access matrix are derived from these declarations.
import { z } from 'zod'
import type { AuditKind } from '../labels/history.ts'
import type { Access } from './access.ts'
import type { ErrorName } from './errors.ts'
import { type CsvColumn, MAX_ROWS, pageOf } from './paging.ts'
import type { Topic } from './topics.ts'

/** The kind of history that the call writes; several if its input decides, such as the direction of a request. */
export type Audit = AuditKind | readonly AuditKind[]
/** Why a write leaves no history row. */
export type NoAudit = { none: string }

/** A part of the register step of administrators (spec S1 §2). */
export type RegisterPart = 'license' | 'mail'

type Common = {
  path: `/${string}`
  /** GET, uploads and downloads: the query string; forms: the parts beside the file; otherwise the JSON body. */
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
   * `json`: an envelope; `list`: one that also answers CSV; `download`: bytes; `events`: server-sent events; `page`: HTML;
   * `redirect`: the address where the browser goes on.
   */
  kind: 'json' | 'list' | 'download' | 'events' | 'page' | 'redirect'
  /** What the data depends on: a live event or a write of one of these topics makes it stale. */
  shows: readonly Topic[]
  /** `false`: the call does not extend an idle session. */
  slides?: false
  /** The columns of a list in their order: headings of CSV and tables. */
  columns?: Record<string, CsvColumn>
  /** Largest `rowsCount` of a JSON response of a list; CSV is not limited. */
  maxRows?: number
  /** For reads that are recorded in the history, for those that store what they return, and downloads that are not. */
  audit?: Audit | NoAudit
  /** Topics that a read may change, such as a download that finds its release withdrawn. */
  changes?: readonly Topic[]
}
type Write = Common & {
  method: 'POST' | 'PUT' | 'DELETE'
  /**
   * `json`: a JSON body; `upload`: the body is the bytes of a file, the input is in the query string; `form`: a multipart
   * body with one file in the part `file`.
   */
  kind: 'json' | 'upload' | 'form'
  /** Bytes of a JSON body at most, if not the server's limit. */
  maxBody?: number
  /** Bytes of the file of a form at most. */
  maxFile?: number
  audit: Audit | NoAudit
  /** What the call changes. A change with history rows announces the first one always, the others where they apply. */
  changes: readonly Topic[]
}
export type Route = Read | Write
export type Routes = Record<string, Route>

export const defineRoutes = <const R extends Routes>(routes: R): R => routes

type Spec<I, D, A, E> = {
  input: I
  data: D
  access: A
  errors: E
  assumed?: true
  inExternalMode?: RegisterPart
  credentials?: 'omit'
}
type ReadSpec<I, D, A, E> = Spec<I, D, A, E> & { shows: readonly Topic[]; slides?: false }

export const get = <
  const P extends `/${string}`,
  I extends z.ZodObject,
  D extends z.ZodType,
  const A extends Access,
  const E extends readonly ErrorName[],
>(
  path: P,
  spec: ReadSpec<I, D, A, E>,
) => ({ method: 'GET', kind: 'json', path, ...spec }) as const

/** A read that stores what it returns, such as a key that is made for the caller. */
export const getNew = <
  const P extends `/${string}`,
  I extends z.ZodObject,
  D extends z.ZodType,
  const A extends Access,
  const E extends readonly ErrorName[],
>(
  path: P,
  spec: Spec<I, D, A, E> & { audit: NoAudit },
) => ({ method: 'GET', kind: 'json', path, shows: [], ...spec }) as const

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
  spec: Omit<ReadSpec<I, T, A, E>, 'data'> & { item: T; columns: ColumnsOf<C, T>; maxRows?: number },
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

/** A download: bytes with a file name. Errors are envelopes as on every call. */
export const download = <
  const P extends `/${string}`,
  I extends z.ZodObject,
  D extends z.ZodType,
  const A extends Access,
  const E extends readonly ErrorName[],
  const K extends Audit | NoAudit,
>(
  path: P,
  spec: Spec<I, D, A, E> & { audit: K; changes?: readonly Topic[] },
) => ({ method: 'GET', kind: 'download', path, shows: [], ...spec }) as const

/** A page that the browser opens by itself, such as a manual. Errors are envelopes as on every call. */
export const page = <
  const P extends `/${string}`,
  I extends z.ZodObject,
  D extends z.ZodType,
  const A extends Access,
  const E extends readonly ErrorName[],
>(
  path: P,
  spec: Spec<I, D, A, E>,
) => ({ method: 'GET', kind: 'page', path, shows: [], ...spec }) as const

/** A page that the browser opens itself and that sends it to another address. */
export const redirect = <
  const P extends `/${string}`,
  I extends z.ZodObject,
  const E extends readonly ErrorName[],
  const K extends { audit?: Audit; changes?: readonly Topic[] },
>(
  path: P,
  spec: { input: I; errors: E } & K,
) => ({ method: 'GET', kind: 'redirect', path, data: z.url(), access: 'public', shows: [], ...spec }) as const

type WriteSpec<I, D, A, E, K> = Spec<I, D, A, E> & { audit: K; changes: readonly Topic[] }
type JsonSpec<I, D, A, E, K> = WriteSpec<I, D, A, E, K> & { maxBody?: number }
const write =
  <const M extends 'POST' | 'PUT' | 'DELETE'>(method: M) =>
  <
    const P extends `/${string}`,
    I extends z.ZodObject,
    D extends z.ZodType,
    const A extends Access,
    const E extends readonly ErrorName[],
    const K extends Audit | NoAudit,
  >(
    path: P,
    spec: JsonSpec<I, D, A, E, K>,
  ) =>
    ({ method, kind: 'json', path, ...spec }) as const

export const post = write('POST')
export const put = write('PUT')
export const del = write('DELETE')

/** An upload: the bytes of a file as the body of a PUT. */
export const upload = <
  const P extends `/${string}`,
  I extends z.ZodObject,
  D extends z.ZodType,
  const A extends Access,
  const E extends readonly ErrorName[],
  const K extends Audit | NoAudit,
>(
  path: P,
  spec: WriteSpec<I, D, A, E, K>,
) => ({ method: 'PUT', kind: 'upload', path, ...spec }) as const

/** A form: a multipart POST with one file, kept in memory, and the input as its other parts. */
export const form = <
  const P extends `/${string}`,
  I extends z.ZodObject,
  D extends z.ZodType,
  const A extends Access,
  const E extends readonly ErrorName[],
  const K extends Audit | NoAudit,
>(
  path: P,
  spec: WriteSpec<I, D, A, E, K> & { maxFile: number },
) => ({ method: 'POST', kind: 'form', path, ...spec }) as const

export type InputOf<R extends Route> = z.input<R['input']>
export type DataOf<R extends Route> = z.output<R['data']>
