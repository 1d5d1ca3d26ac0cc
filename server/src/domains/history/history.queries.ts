// The histories as rows to look through: sign-ins of desktop clients, and requests for files with their files (S2 sections
// 2.6 and 3). Both have tables of their own that they are read from; what changes do is in `history`.
import type { ClientSignInFilter } from '@acc/contract/history'
import { sql } from 'kysely'
import type { Scope } from '../../core/scope.ts'
import type { Reader } from '../../db/open.ts'
import { contains, nameContains } from '../../db/search.ts'

const SIGN_IN_COLUMNS = [
  'signIns.idx',
  'signIns.loginDT',
  'signIns.logoutDT',
  'signIns.userId',
  'signIns.userName',
  'signIns.userGroupName',
  'signIns.ip',
  'signIns.userRole',
  'signIns.type',
  'signIns.logoutType',
  'signIns.clientVersion',
  'signIns.deviceName',
] as const

const TEXTS = {
  userId: (text: string) => contains('signIns.userId', text),
  userName: (text: string) => nameContains('signIns.userName', text),
  userGroupName: (text: string) => nameContains('signIns.userGroupName', text),
  ip: (text: string) => contains('signIns.ip', text),
  clientVersion: (text: string) => contains('signIns.clientVersion', text),
}
const FIELDS = Object.keys(TEXTS) as (keyof typeof TEXTS)[]

/** Whether any text is searched for. */
export const hasTexts = (filter: ClientSignInFilter): boolean => FIELDS.some((field) => filter[field])

/** Sign-ins of desktop clients and failed tries at them, unsorted. */
export function matchClientSignIns(db: Reader, scope: Scope, filter: ClientSignInFilter) {
  const { logSDT, logEDT, type, logoutType } = filter
  return db
    .selectFrom('signIns')
    .select(SIGN_IN_COLUMNS)
    .where('signIns.kind', '=', 'client')
    .where((eb) => scope(eb.ref('signIns.groupIdx')))
    .$if(logSDT !== undefined, (query) => query.where('signIns.loginDT', '>=', new Date(logSDT ?? '')))
    .$if(logEDT !== undefined, (query) => query.where('signIns.loginDT', '<', new Date(logEDT ?? '')))
    .$if(type !== undefined, (query) => query.where('signIns.type', '=', type ?? 0))
    .$if(logoutType !== undefined, (query) => query.where('signIns.logoutType', '=', logoutType ?? 0))
    .where((eb) => eb.and(FIELDS.flatMap((field) => (filter[field] ? [TEXTS[field](filter[field])] : []))))
}

const people = (column: string) => sql`${sql.ref(column)} collate people`
export const SIGN_IN_SORTS = {
  idx: sql.ref('signIns.idx'),
  loginDT: sql.ref('signIns.loginDT'),
  logoutDT: sql.ref('signIns.logoutDT'),
  userId: sql.ref('signIns.userId'),
  userName: people('signIns.userName'),
  userGroupName: people('signIns.userGroupName'),
  ip: sql.ref('signIns.ip'),
  type: sql.ref('signIns.type'),
  clientVersion: sql.ref('signIns.clientVersion'),
}
