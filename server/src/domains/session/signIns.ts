// The sign-in log (spec S2 §3): one row for each sign-in and each failed attempt. It outlives the sessions.
import type { Role } from '@acc/contract/labels/access'
import { LogoutType, type SignInType } from '@acc/contract/labels/history'
import { sql } from 'kysely'
import type { Tx } from '../../db/open.ts'

export type SignIn = {
  kind: 'web' | 'client'
  userIdx: number | null
  userId: string
  userName: string
  userGroupName: string
  groupIdx: number | null
  ip: string
  userRole: Role
  type: SignInType
  clientVersion?: string
  deviceName?: string
}

export async function insertSignIn(tx: Tx, at: Date, signIn: SignIn): Promise<{ idx: number; loginDT: Date }> {
  return tx
    .insertInto('signIns')
    .values({ ...signIn, loginDT: at })
    .returning(['idx', 'loginDT'])
    .executeTakeFirstOrThrow()
}

/** Completes the rows of ended sessions with their end and its reason. */
export async function closeSignIns(tx: Tx, sessions: readonly EndedSignIn[], logoutType: 0 | 1): Promise<void> {
  for (const session of sessions) {
    await tx
      .updateTable('signIns')
      .set({ logoutDT: sql<Date>`${session.endDT}`, logoutType })
      .where('idx', '=', session.signInIdx)
      .where('loginDT', '=', session.signInDT)
      .execute()
  }
}
export type EndedSignIn = { signInIdx: number; signInDT: Date; endDT: Date | null }
export const { LOGOUT, SESSION_EXPIRED } = LogoutType
