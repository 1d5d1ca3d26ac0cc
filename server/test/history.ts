// The history rows of a kind: `expect(await historyOf(app.db, 'userManage')).toMatchObject([...])`, the oldest first.
import type { AuditKind } from '@acc/contract/history/kinds'
import type { Database } from '../src/db/open.ts'

export type HistoryRow = {
  type: number
  result: number
  actorIdx: number | null
  subject: string
  subjectIdx: number | null
  groupIdx: number | null
  detail: Record<string, unknown>
}

export const historyOf = (db: Database, kind: AuditKind): Promise<HistoryRow[]> =>
  db.read
    .selectFrom('history')
    .select(['type', 'result', 'actorIdx', 'subject', 'subjectIdx', 'groupIdx', 'detail'])
    .where('kind', '=', kind)
    .orderBy('idx')
    .$castTo<HistoryRow>()
    .execute()
