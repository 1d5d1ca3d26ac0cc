// The list of exceptions that should be looked at.
import type { ReportedException } from '@acc/contract/ends'
import { Level } from '@acc/contract/labels/access'
import { UNUSED_DAYS } from '@acc/contract/labels/ends'
import { days, later, today } from '../../clock.ts'
import type { Read } from '../../core/context.ts'
import type { List } from '../../db/list.ts'
import { type ExceptionQuery, listExceptions } from './ends.queries.ts'

export function searchExceptions({ read, scope, services }: Read, query: ExceptionQuery): List<ReportedException> {
  const { clock } = services
  const at = { today: today(clock), unusedSince: later(clock.now(), -days(UNUSED_DAYS)) }
  return listExceptions(read, query, scope('policy', Level.READ), at)
}
