// What a handler works with: who calls, what may be read, and the one way to write. Typed by the route, so that a read
// has no change() and a write must return the history rows that its route names.
import type { Readable } from 'node:stream'
import type { PageAuth } from '@acc/contract/core/access'
import type { NoAudit, Route } from '@acc/contract/core/route'
import type { AuditKind } from '@acc/contract/history/kinds'
import type { Level, Page, Role } from '@acc/contract/labels/access'
import type { z } from 'zod'
import type { List } from '../db/list.ts'
import type { Reader, Tx } from '../db/open.ts'
import type { StatementPool } from '../db/statement.ts'
import type { FindPeople, HistoryEntry } from './change.ts'
import type { Scope } from './scope.ts'
import type { HandlerServices } from './services.ts'

/** The person behind a session. */
export type Actor = {
  idx: number
  id: string
  name: string
  email: string
  groupIdx: number
  groupName: string
  role: Role
  pageAuth: PageAuth
  sessionIdx: number
  kind: 'web' | 'client'
  /** The registered PC of a client session. */
  deviceIdx: number | null
  loginType: number
  pwSetDT: Date | null
  expireDT: string | null
  sessionExpireDT: Date
  /** The groups' rights as they were when this call began. */
  rightsRevision: number
  /** Whether an absence of any time names them as the substitute. */
  isSubstitute: boolean
}

/** The BIM server that calls: found by the hash of its id, allowed from its address only. */
export type BimServerCaller = { idx: number; idHash: Buffer; pcName: string; ip: string }

export type Language = 'ko' | 'en'

export type ReadContext<A> = {
  services: HandlerServices
  actor: A
  /** Read-only connections. Throws while a change() runs: inside one only its transaction may be used. */
  readonly read: Reader
  /** Which rows the actor reaches with a level on a page; `never` unless somebody is signed in. */
  scope: A extends Actor ? (page: Page, level: Level) => Scope : never
  ip: string
  userAgent: string
  language: Language
  /** The caller's time zone, for names that hold a time. UTC if the caller names none. */
  timeZone: string
  requestId: string
}

export type Recorder = {
  /** Commits what must stay although the call fails, in a transaction of its own: a failed attempt, a refusal. */
  record<T>(work: (tx: Tx) => Promise<T>): Promise<T>
}

/** Rows of the route's kind; after the first, rows of consequences: a license returned with a deleted user. */
export type LogResult<K extends AuditKind> = { log: readonly [HistoryEntry<K>, ...HistoryEntry[]] | 'unchanged' }
export type ChangeContext<A, K extends AuditKind> = ReadContext<A> & {
  /**
   * One transaction for the rows, their history, mail and events. `unchanged` says that nothing differed. `findPeople`
   * finds other people that the work locks.
   */
  change<T>(work: (tx: Tx) => Promise<{ result: T } & LogResult<K>>, findPeople?: FindPeople): Promise<T>
} & Recorder
export type FreeContext<A> = ReadContext<A> & {
  /** One transaction; the route has said why it leaves no history row. */
  change<T>(work: (tx: Tx) => Promise<{ result: T }> | Promise<void>): Promise<T>
} & Recorder

/** A service's context: `Change<'userManage'>`. */
export type Change<K extends AuditKind> = ChangeContext<Actor, K>
export type Read = ReadContext<Actor>

type ActorOf<R extends Route> = R['access'] extends 'public' | 'bimServer' ? undefined : Actor
type AuditOf<R extends Route> = R extends { audit: infer A } ? A : undefined
type ContextOf<R extends Route> =
  AuditOf<R> extends AuditKind
    ? ChangeContext<ActorOf<R>, AuditOf<R>>
    : AuditOf<R> extends readonly AuditKind[]
      ? ChangeContext<ActorOf<R>, AuditOf<R>[number]>
      : AuditOf<R> extends NoAudit
        ? FreeContext<ActorOf<R>>
        : ReadContext<ActorOf<R>>

/** Bytes for the caller. */
export type Download = { fileName: string; size?: number; stream: Readable }

/** A page for the browser, with a content security policy of its own. */
export type HtmlPage = { html: string; policy: string }

/** The browser's cookies, and what sign-in and sign-out do to them. */
export type Cookies = {
  session: string | undefined
  setSession(token: string): void
  clearSession(): void
  /** A single sign-on that is under way. */
  sso: string | undefined
  setSso(sealed: string, seconds: number): void
  clearSso(): void
}

type Item<R extends Route> = z.input<R['data']> extends { items: (infer T)[] } ? T : never
type Answer<R extends Route> = R extends { kind: 'list' }
  ? List<Item<R>>
  : R extends { kind: 'download' }
    ? Download
    : R extends { kind: 'page' }
      ? HtmlPage
      : R extends { kind: 'events' }
        ? AsyncIterable<z.input<R['data']>>
        : z.input<R['data']>

/** The file of a form. `name` is what its owner calls it, and says nothing about its content. */
export type FormFile = { name: string; bytes: Buffer }

/** The file of a form while it arrives. `size` is what the sender announces, or the most that the route takes. */
export type StreamedFile = { name: string; size: number; chunks: AsyncIterable<Uint8Array> }

type OfKind<R extends Route> = {
  upload: { body: Readable }
  form: { file: R extends { isStreamed: true } ? StreamedFile : FormFile }
  /** Connections that look up sessions, which no other work holds up. */
  events: { sessions: StatementPool }
}
type Callers = { bimServer: { server: BimServerCaller } }
type Extra<R extends Route> = { cookies: Cookies } & (R['kind'] extends keyof OfKind<R>
  ? OfKind<R>[R['kind']]
  : unknown) &
  (R['access'] extends keyof Callers ? Callers[R['access']] : unknown)
export type Handler<R extends Route> = (
  context: ContextOf<R> & Extra<R>,
  input: z.output<R['input']>,
) => Answer<R> | Promise<Answer<R>>
export type Handlers<M extends Record<string, Route>> = { [K in keyof M]: Handler<M[K]> }
