// The only way to write. One transaction holds the rows, their history, the mail about them and the events that open
// screens follow; history rows are required by type if the route names an audit kind.
import type { Topic } from '@acc/contract/core/topics'
import type { AuditKind, HistoryDetail, HistoryEvent } from '@acc/contract/history/kinds'
import { type KyselyPlugin, sql } from 'kysely'
import { causeOf, constraintError, isWorthRetrying } from '../db/constraints.ts'
import type { Database, Tx } from '../db/open.ts'
import { fail } from './errors.ts'

type AnyEntry = {
  [K in AuditKind]: {
    kind: K
    type: HistoryEvent<K>
    result?: number
    /** The sign-in name or the name of the target. */
    subject: string
    subjectIdx: number | null
    /** The group whose managers may read this row; null: administrators only. */
    groupIdx: number | null
    /** The person who did it, if the call itself has no session yet: a sign-in that takes a license. */
    actor?: Omit<Author, 'ip'>
    detail: HistoryDetail<K>
  }
}[AuditKind]
/**
 * A row of the history; `change` adds who did it, when and from where. Event and detail are those of its kind
 * (contract/src/history), so that a row of a wrong shape does not compile.
 */
export type HistoryEntry<K extends AuditKind = AuditKind> = AnyEntry & { kind: K }

/** The author of a history row. */
export type Author = { idx: number | null; id: string; name: string; groupName: string; ip: string }
export const SYSTEM: Author = { idx: null, id: '', name: '', groupName: '', ip: '' }

/** Attempts at a transaction that fails by a deadlock or a serialization conflict. */
const TRIES = 4

/** Rows of one INSERT: PostgreSQL allows 65,535 parameters. */
const CHUNK = 1_000

const rowOf = (author: Author, at: Date, entry: HistoryEntry) => ({
  kind: entry.kind,
  logDT: at,
  actorIdx: (entry.actor ?? author).idx,
  actorId: (entry.actor ?? author).id,
  actorName: (entry.actor ?? author).name,
  actorGroupName: (entry.actor ?? author).groupName,
  subject: entry.subject,
  subjectIdx: entry.subjectIdx,
  groupIdx: entry.groupIdx,
  ip: author.ip,
  type: entry.type,
  result: entry.result ?? 0,
  detail: JSON.stringify(entry.detail),
})

/** Inserts rows of the history. */
export async function insertHistory(tx: Tx, author: Author, at: Date, entries: readonly HistoryEntry[]): Promise<void> {
  for (let from = 0; from < entries.length; from += CHUNK) {
    const rows = entries.slice(from, from + CHUNK).map((entry) => rowOf(author, at, entry))
    await tx.insertInto('history').values(rows).execute()
  }
}

/** People whose rows a work locks. `isChange`: their rows or rights change. Otherwise others must not change them. */
type NamedPeople = { userIdxes: readonly number[]; isChange: boolean }
/** Finds them before anything is locked. */
export type FindPeople = (tx: Tx) => Promise<NamedPeople>
export const named =
  (userIdxes: readonly number[], isChange: boolean): FindPeople =>
  async () => ({ userIdxes, isChange })

async function lockUsers(tx: Tx, idxes: readonly number[], isChange: boolean): Promise<void> {
  const users = tx
    .selectFrom('users')
    .select('idx')
    .where('idx', '=', sql<number>`any(${idxes}::bigint[])`)
    .orderBy('idx')
  if (idxes.length > 0) await (isChange ? users.forNoKeyUpdate() : users.forShare()).execute()
}

/**
 * Locks an author and the named people, all in the order of their numbers: two who name each other never deadlock. The
 * author's rights are withdrawn before the transaction or after it, never during it.
 */
export async function lockPeople(tx: Tx, authorIdx: number, { userIdxes, isChange }: NamedPeople): Promise<void> {
  const [lower, higher] = [userIdxes.filter((idx) => idx < authorIdx), userIdxes.filter((idx) => idx > authorIdx)]
  await lockUsers(tx, lower, isChange)
  await lockUsers(tx, [authorIdx], isChange && userIdxes.includes(authorIdx))
  await lockUsers(tx, higher, isChange)
}

async function requireOpenSession(tx: Tx, actor: { idx: number; sessionIdx: number }): Promise<void> {
  const session = await tx
    .selectFrom('sessions')
    .select('endDT')
    .where('idx', '=', actor.sessionIdx)
    .where('userIdx', '=', actor.idx)
    .executeTakeFirst()
  if (session === undefined || session.endDT !== null) fail('SESSION_ENDED')
}

/** Work without a result returns nothing, if it leaves no history row either. */
type Work<T> = (tx: Tx) => Promise<{ result: T; log?: readonly HistoryEntry[] | 'unchanged' }> | Promise<void>
/** What a transaction did, checked before it commits. */
export type Summary = {
  topics: ReadonlySet<Topic>
  log: readonly HistoryEntry[]
  /** The topics whose rows it wrote, where somebody watches. */
  written: ReadonlySet<Topic>
}
type ChangeOrigin = {
  author: Author
  actor?: { idx: number; sessionIdx: number } | undefined
  now: () => Date
  /** Throws to undo a transaction that is not what its route declares. */
  requireDeclared?: (summary: Summary) => void
  /** Watches what the transaction writes. */
  watch?: (() => { plugin: KyselyPlugin; topics: ReadonlySet<Topic> }) | undefined
}

/**
 * Runs a transaction. A violated constraint becomes its error. After a deadlock or a serialization failure the work
 * runs again, so it must use nothing but its transaction. Each deadlock costs a second and is logged.
 */
export async function transact<T>(db: Database, work: (tx: Tx) => Promise<T>): Promise<T> {
  for (let tried = 1; ; tried++) {
    try {
      return await db.write.transaction().execute(work)
    } catch (error) {
      const meaning = constraintError(error)
      if (meaning !== undefined) fail(meaning)
      if (!isWorthRetrying(error) || tried === TRIES) throw error
      db.log.warn({ tried, ...causeOf(error) }, 'a transaction is repeated')
    }
  }
}

/**
 * Runs the work and writes its history in one transaction. `findPeople` finds the people that it locks. The order of
 * locks: people, the tree of groups, groups, policies, requests, authorities, sessions
 * (docs/decisions/22-database.md).
 */
export const change = <T>(
  db: Database,
  origin: ChangeOrigin,
  work: Work<T>,
  findPeople = named([], false),
): Promise<T> =>
  transact(db, async (opened) => {
    const watched = origin.watch?.()
    const tx = watched === undefined ? opened : opened.withPlugin(watched.plugin)
    if (origin.actor !== undefined) {
      await lockPeople(tx, origin.actor.idx, await findPeople(tx))
      // A separate statement: one that waited for the lock would still see the session as it was before the wait.
      await requireOpenSession(tx, origin.actor)
    }
    const topics = new Set<Topic>()
    announced.set(tx, topics)
    const { result, log = 'unchanged' } = (await work(tx)) ?? { result: undefined as T }
    const entries = log === 'unchanged' ? [] : log
    await insertHistory(tx, origin.author, origin.now(), entries)
    origin.requireDeclared?.({ topics, log: entries, written: watched?.topics ?? new Set() })
    return result
  })

/** Returns 'unchanged' for an empty list of entries. */
export const logOf = <K extends AuditKind>(
  entries: HistoryEntry<K>[],
): readonly [HistoryEntry<K>, ...HistoryEntry<K>[]] | 'unchanged' => {
  const [first, ...rest] = entries
  return first === undefined ? 'unchanged' : [first, ...rest]
}

/** Topics of rows that belong to groups: managers hear of those that they cover. */
export type GroupTopic = 'requests' | 'signIns' | 'users' | 'groups' | 'policies'

/**
 * An announcement: which topic, which row, whose group; `userIdx` addresses one person's own screens, `authorityIdxes`
 * those of the members.
 */
type Announcement =
  | { topic: GroupTopic; idx?: number | null; groupIdx: number | null; authorityIdxes?: number[] }
  /** What a person decides has changed. */
  | { topic: 'requests'; idx?: null; groupIdx?: null; userIdx: number }
  | { topic: Exclude<Topic, GroupTopic>; idx?: number | null; groupIdx?: null; userIdx?: number }

/** The topics that an open transaction has announced. */
const announced = new WeakMap<Tx, Set<Topic>>()

/** Announces a change to open screens on every node; sent when the transaction commits. */
export const notify = (tx: Tx, announcement: Announcement): Promise<void> => notifyAll(tx, [announcement])

/** Announces several changes in one statement. */
export async function notifyAll(tx: Tx, announcements: readonly Announcement[]): Promise<void> {
  if (announcements.length === 0) return
  for (const { topic } of announcements) announced.get(tx)?.add(topic)
  const texts = announcements.map((announcement) => JSON.stringify(announcement))
  await sql`select pg_notify('acc', text) from unnest(${texts}::text[]) as text`.execute(tx)
}
