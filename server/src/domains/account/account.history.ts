// History rows of self-service (spec S1 §4, S2 §3).
import type { HistoryDetail } from '@acc/contract/history/kinds'
import { type AccountAction, AccountResult } from '@acc/contract/labels/history'
import { type HistoryEntry, insertHistory } from '../../core/change.ts'
import type { ChangeContext } from '../../core/context.ts'
import { personValues } from '../../core/historyValues.ts'
import type { Account } from '../credentials/credentials.queries.ts'
import type { OnWrongOtp } from '../otp/otp.service.ts'

export type AccountContext = ChangeContext<undefined, 'account'>
type Action = (typeof AccountAction.values)[number]
type Result = (typeof AccountResult.values)[number]
type Person = Pick<Account, 'idx' | 'id' | 'name' | 'groupIdx' | 'groupName'>
type Notice = Pick<HistoryDetail<'account'>, 'targetNotice' | 'targetOldNotice'>

export const accountLog = (
  account: Person,
  type: Action,
  result: Result = AccountResult.SUCCESS,
  notice: Notice = { targetNotice: null, targetOldNotice: null },
): HistoryEntry<'account'> => ({
  kind: 'account',
  type,
  result,
  subject: account.id,
  subjectIdx: account.idx,
  groupIdx: account.groupIdx,
  detail: { ...personValues(account), ...notice },
})

/** Logs a wrong code in the transaction that counts it. */
export const logWrongOtp =
  ({ services, ip }: AccountContext, account: Account, type: Action): OnWrongOtp =>
  (tx, isExceeded) => {
    const result = isExceeded ? AccountResult.OTP_DISABLED : AccountResult.OTP_FAILED
    const anonymous = { idx: null, id: '', name: '', groupName: '', ip }
    return insertHistory(tx, anonymous, services.clock.now(), [accountLog(account, type, result)])
  }
