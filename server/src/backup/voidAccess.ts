// Ends the sessions, tokens, codes and temporary passwords of a restored copy, and its waiting mail, which the original
// server may have sent.
import { SettingManage } from '@acc/contract/labels/history'
import { MailState } from '@acc/contract/labels/mails'
import { type Clock, systemClock } from '../clock.ts'
import { type Author, insertHistory } from '../core/change.ts'
import { settingLog } from '../core/settingLog.ts'
import type { Tx } from '../db/open.ts'
import { renewOrigin } from '../domains/history/history.origin.ts'
import { endSessionsOf } from '../domains/session/session.service.ts'

/** The reason that waiting mail shows. */
const NOT_SENT = 'restored from a backup'

/** Ends all sessions, deletes tokens, codes and temporary passwords, and fails waiting mail. */
export async function voidAccess(tx: Tx, clock: Clock): Promise<void> {
  const signedIn = await tx.selectFrom('sessions').select('userIdx').distinct().where('endDT', 'is', null).execute()
  await endSessionsOf(
    tx,
    { clock },
    signedIn.map(({ userIdx }) => userIdx),
  )
  await tx.deleteFrom('tmpTokens').execute()
  await tx.deleteFrom('otpCodes').execute()
  await tx.deleteFrom('mailTests').execute()
  await tx
    .updateTable('users')
    .set({ tmpPwHash: null, tmpPwExpireDT: null, otpPending: null, otpPendingExpireDT: null })
    .execute()
  await tx
    .updateTable('mails')
    .set({ state: MailState.FAILED, lastError: NOT_SENT, nextTryDT: null })
    .where('state', '=', MailState.WAITING)
    .execute()
}

/** Ends the access of a restored database, and records its restore: `id` names the backup, `moment` its content. */
export async function endRestore(tx: Tx, author: Author, id: string, moment: string): Promise<void> {
  await voidAccess(tx, systemClock)
  await renewOrigin(tx)
  const log = settingLog(SettingManage.RESTORE_BACKUP, id, { targetName: moment })
  await insertHistory(tx, author, systemClock.now(), [log])
}
