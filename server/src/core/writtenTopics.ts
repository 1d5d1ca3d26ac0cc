// Which topics a transaction must announce, by the rows that it wrote, and which ones a read must show, by the tables
// that it reads. Used only in tests, since it checks every statement.
import type { Topic } from '@acc/contract/core/topics'
import {
  AliasNode,
  ColumnNode,
  type ColumnUpdateNode,
  DeleteQueryNode,
  InsertQueryNode,
  type KyselyPlugin,
  type OperationNode,
  PostgresQueryCompiler,
  type QueryId,
  RawNode,
  TableNode,
  UpdateQueryNode,
} from 'kysely'
import type { DB } from '../db/schema.gen.ts'
import { textOfCompiled } from '../db/statement.ts'

/** What open screens show of a table. Updates of `hidden` columns alone show nowhere. */
type TableTopics = { topics: readonly Topic[]; hidden?: readonly string[]; onlyUpdates?: true }

const SIGN_IN = ['activeDT', 'lastClientLoginDT', 'loginFails']
const CODES = ['otpFails', 'otpStep', 'otpPending', 'otpPendingExpireDT', 'tmpPwHash', 'tmpPwExpireDT']
const shown = (...topics: Topic[]): TableTopics => ({ topics })

/** A new table says here which topic shows it; null: none does, or it depends on the row. */
const TABLES: Record<keyof DB, TableTopics | null> = {
  absences: shown('authorities'),
  accountReminders: null,
  activityCounts: null,
  authorities: shown('authorities'),
  authorityGroups: shown('authorities'),
  authorityUsers: { topics: ['authorities'], hidden: ['endMailed'] },
  bimConnections: shown('bimConnections'),
  bimExceptions: shown('bim'),
  bimGroups: shown('bim'),
  bimServers: { topics: ['bim'], hidden: ['heartbeatDT', 'isOnline'] },
  bimUsers: shown('bim'),
  clientVersions: shown('clientVersions'),
  configTexts: shown('settings'),
  damagedFiles: null,
  deletedGroups: null,
  devices: { topics: ['licenses', 'users'], hidden: ['deviceName', 'ip', 'clientVersion', 'useDT'] },
  fileEximports: shown('requests'),
  formerPasswords: null,
  groups: shown('groups'),
  history: null,
  historyOutlets: null,
  historyRetention: null,
  historySeals: null,
  mails: shown('mails'),
  mailTests: null,
  networkBlockBatches: null,
  jobRuns: null,
  nodes: null,
  otpCodes: null,
  personNotices: null,
  policies: { topics: ['policies'], hidden: ['endMailed'] },
  policyApprovalSteps: shown('policies'),
  policyLoopbackExceptions: shown('policies'),
  policyNetworkExceptions: { topics: ['policies'], hidden: ['endMailed'] },
  policyShortcuts: shown('policies'),
  requestSteps: shown('requests'),
  requesterNotices: null,
  requestDecisions: shown('requests'),
  requestFiles: null,
  sessions: { topics: ['session'], hidden: ['lastSeenDT', 'expireDT', 'limitDT'], onlyUpdates: true },
  settings: null,
  shortcuts: shown('shortcuts'),
  signIns: null,
  statusSamples: null,
  throttles: null,
  tmpTokens: null,
  userImportRows: shown('userImports'),
  userImports: shown('userImports'),
  users: { topics: ['users'], hidden: [...SIGN_IN, ...CODES] },
  waitingNotices: null,
}
const shownOf = new Map<string, TableTopics | null>(Object.entries(TABLES))

/** What a statement writes; `columns` of an update. */
type TableWrite = { table: string; columns?: readonly string[] }

const RAW_WRITE = /^\s*(?:insert into|update|delete from) "?(\w+)"?(?:\s+set\s+(.*?)\swhere)?/s

function tableOf(node: OperationNode | undefined): string {
  if (node === undefined) return ''
  if (AliasNode.is(node)) return tableOf(node.node)
  return TableNode.is(node) ? node.table.identifier.name : ''
}
const columnOf = ({ column }: ColumnUpdateNode): string => (ColumnNode.is(column) ? column.column.name : '')

function writtenBy(node: OperationNode): TableWrite | undefined {
  if (InsertQueryNode.is(node)) return { table: tableOf(node.into) }
  if (DeleteQueryNode.is(node)) return { table: tableOf(node.from.froms[0]) }
  if (UpdateQueryNode.is(node)) return { table: tableOf(node.table), columns: node.updates?.map(columnOf) ?? [] }
  const [, table, set] = (RawNode.is(node) && RAW_WRITE.exec(node.sqlFragments.join('?'))) || []
  if (table === undefined) return undefined
  return set === undefined
    ? { table }
    : { table, columns: [...set.matchAll(/"?(\w+)"? =/g)].map(([, name = '']) => name) }
}

function topicsOf({ table, columns }: TableWrite): readonly Topic[] {
  const { topics = [], hidden = [], onlyUpdates } = shownOf.get(table) ?? {}
  // A revision that is raised alone makes open forms outdated; what they show is the same.
  const isHidden =
    columns === undefined ? onlyUpdates : columns.every((one) => one === 'revision' || hidden.includes(one))
  return isHidden ? [] : topics
}

/** A plugin for a transaction that collects the topics of the rows that it writes. */
export function watchWrites(): { plugin: KyselyPlugin; topics: ReadonlySet<Topic> } {
  const topics = new Set<Topic>()
  const written = new WeakMap<QueryId, readonly Topic[]>()
  const plugin: KyselyPlugin = {
    transformQuery: ({ node, queryId }) => {
      const found = writtenBy(node)
      if (found !== undefined) written.set(queryId, topicsOf(found))
      return node
    },
    transformResult: async ({ result, queryId }) => {
      if ((result.numAffectedRows ?? 0n) > 0n) for (const topic of written.get(queryId) ?? []) topics.add(topic)
      return result
    },
  }
  return { plugin, topics }
}

const compiler = new PostgresQueryCompiler()
const READ_TABLE = /\b(?:from|join)\s+(?:lateral\s+)?"?(\w+)"?/g

/** A plugin for reads that collects the names of the tables. */
export function watchReads(): { plugin: KyselyPlugin; tables: ReadonlySet<string> } {
  const tables = new Set<string>()
  const addTables = (text: string) => {
    for (const [, table = ''] of text.matchAll(READ_TABLE)) tables.add(table)
  }
  const plugin: KyselyPlugin = {
    transformQuery: ({ node, queryId }) => {
      addTables(compiler.compileQuery(node, queryId).sql)
      return node
    },
    transformResult: async ({ result, queryId }) => {
      addTables(textOfCompiled(queryId) ?? '')
      return result
    },
  }
  return { plugin, tables }
}

/** Returns the tables of which a read shows no topic. */
export const findUnshown = (tables: ReadonlySet<string>, shows: readonly Topic[]): string[] =>
  [...tables].filter((table) => {
    const { topics = [] } = shownOf.get(table) ?? {}
    return topics.length > 0 && !topics.some((topic) => shows.includes(topic))
  })
