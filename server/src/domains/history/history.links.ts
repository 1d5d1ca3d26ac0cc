// The idxes behind a row's links. They are null where the object no longer exists or the viewer may not open its screen, so
// that no link leads nowhere.
import type { TargetKind } from '@acc/contract/history/kind'
import { Level, type Page } from '@acc/contract/labels/access'
import { OwnerType } from '@acc/contract/labels/policies'
import { Transfer } from '@acc/contract/labels/requests'
import { type RawBuilder, sql } from 'kysely'
import { scopeOf, type Viewer } from '../../core/scope.ts'

type Link = RawBuilder<number | null>
type Column = RawBuilder<number | null>

const reachOf = (viewer: Viewer, page: Page, group: string) => scopeOf(viewer, page, Level.READ)(sql.ref(group))

const user = (viewer: Viewer, idx: Column): Link =>
  sql`(select users.idx from users where users.idx = ${idx} and ${reachOf(viewer, 'user', 'users.groupIdx')})`
const group = (viewer: Viewer, idx: Column): Link =>
  sql`(select groups.idx from groups where groups.idx = ${idx} and ${reachOf(viewer, 'policy', 'groups.idx')})`
const request = (viewer: Viewer, idx: Column): Link => {
  const reach = (page: Page) => reachOf(viewer, page, 'fileEximports.requesterGroupIdx')
  return sql`(
    select "fileEximports".idx from "fileEximports" where "fileEximports".idx = ${idx} and case "fileEximports".type
      when ${sql.lit(Transfer.EXPORT)} then ${reach('fileExportApprove')} else ${reach('fileImportApprove')} end)`
}
const existing = (table: string, idx: Column): Link => sql`(select idx from ${sql.id(table)} where idx = ${idx})`

const SUBJECT: Column = sql`history."subjectIdx"`

/** Returns the idx of the user that a column names. */
export const linkToUser = (viewer: Viewer, column: string): Link => user(viewer, sql.ref(column))

/** Returns the idx of what a row of the history is about. */
export function linkToTarget(viewer: Viewer, target: TargetKind | null): Link {
  if (target === 'user') return user(viewer, SUBJECT)
  if (target === 'group') return group(viewer, SUBJECT)
  if (target === 'policyOwner')
    return sql`case history."targetType" when ${sql.lit(OwnerType.GROUP)} then ${group(viewer, SUBJECT)}
      else ${user(viewer, SUBJECT)} end`
  if (target === 'request') return request(viewer, SUBJECT)
  if (target === 'authority') return existing('authorities', SUBJECT)
  return target === 'shortcut' ? existing('shortcuts', SUBJECT) : sql`null::bigint`
}
