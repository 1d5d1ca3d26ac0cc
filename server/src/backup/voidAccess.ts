// What a restored copy must not open again: sessions, tokens, codes and temporary passwords of the past, and mail that waited,
// which the original server may have sent since.
import { MailState } from '@acc/contract/labels/mails'
import type { Clock } from '../clock.ts'
import type { Tx } from '../db/open.ts'
import { endSessionsOf } from '../domains/session/session.service.ts'

/** Why waiting mail of a restored copy was not sent; shown beside it. */
const NOT_SENT = 'restored from a backup'

/** Ends all sessions, and makes tokens, codes and waiting temporary passwords void. */
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
