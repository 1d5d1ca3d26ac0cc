// Rows of the history in quantity, as calls write them.
import { SettingManage } from '@acc/contract/labels/history'
import type { Clock } from '../../src/clock.ts'
import { insertHistory, SYSTEM } from '../../src/core/change.ts'
import { settingLog } from '../../src/core/settingLog.ts'
import type { Database, Tx } from '../../src/db/open.ts'

/** Writes rows to the history of a test. */
export function historyWriter(db: Database, clock: Clock) {
  const inTransaction = <T>(work: (tx: Tx) => Promise<T>) => db.write.transaction().execute(work)
  const insert = (tx: Tx, count: number) =>
    insertHistory(
      tx,
      SYSTEM,
      clock.now(),
      Array.from({ length: count }, (_, at) =>
        settingLog(SettingManage.SET_HOST_ADDRESS, 'x', { targetName: null, targetValue: `값 ${at}` }),
      ),
    )
  return {
    add: (count: number) => inTransaction((tx) => insert(tx, count)),
    /** Begins a transaction with one row; the returned function commits it. */
    async beginRow(): Promise<() => Promise<void>> {
      const begun = Promise.withResolvers<void>()
      const release = Promise.withResolvers<void>()
      const writing = inTransaction(async (tx) => {
        await insert(tx, 1)
        begun.resolve()
        await release.promise
      })
      await begun.promise
      return () => {
        release.resolve()
        return writing
      }
    },
  }
}
