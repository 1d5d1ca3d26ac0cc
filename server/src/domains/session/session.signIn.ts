// Signing in with ID and password (spec S1 §4). Every attempt is in the sign-in log, whatever its outcome.
import { hasFlag } from '@acc/contract/labels/flags'
import { SignInType } from '@acc/contract/labels/history'
import { LoginType } from '@acc/contract/labels/users'
import { today } from '../../clock.ts'
import type { ChangeContext, Cookies, FreeContext } from '../../core/context.ts'
import { Failure, fail } from '../../core/errors.ts'
import { type Account, isNew } from '../credentials/credentials.queries.ts'
import {
  lockVerifiedAccount,
  requireUsable,
  type VerifiedPassword,
  verifyPassword,
} from '../credentials/signInAttempts.ts'
import { type Device, replaceSession, signInRow } from './session.service.ts'
import { insertSignIn } from './signIns.ts'

type Credentials = { id: string; pw: string }
export type SignInContext = FreeContext<undefined> | ChangeContext<undefined, 'licenseUse' | 'account'>

/** Placeholder logged for unknown sign-in IDs: a row of no group, which only administrators read. */
const unknownPerson = (id: string) =>
  ({ idx: null, id, name: '', groupIdx: null, groupName: '', isAdmin: 0, isManager: false }) as const

/** Verifies a password for a sign-in; failed attempts are logged, those with unknown IDs too. */
export const verifySignIn = (
  ctx: SignInContext,
  input: Credentials,
  kind: 'web' | 'client',
  device?: Partial<Device>,
): Promise<VerifiedPassword> =>
  verifyPassword(ctx, { ...input, ip: ctx.ip }, (tx, { id, account, isExceeded }) => {
    const type = isExceeded ? SignInType.PW_DISABLED : SignInType.PW_FAILED
    return insertSignIn(tx, ctx.app.clock.now(), signInRow(account ?? unknownPerson(id), ctx, kind, type, device))
  })

/** Logs an attempt that was refused although its password was correct (account state, PC or licences). */
async function logRefusal(ctx: SignInContext, account: Account, kind: 'web' | 'client', device?: Partial<Device>) {
  const row = signInRow(account, ctx, kind, SignInType.REFUSED, device)
  await ctx.record((tx) => insertSignIn(tx, ctx.app.clock.now(), row))
}

/** Runs the rest of a sign-in whose password was verified, and logs its refusal, which undoes everything else. */
export async function orLogRefusal<T>(
  ctx: SignInContext,
  { account }: VerifiedPassword,
  kind: 'web' | 'client',
  work: () => Promise<T>,
  device?: Partial<Device>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Failure) await logRefusal(ctx, account, kind, device)
    throw error
  }
}

/** Rejects accounts that may not have or get an own password: 101, 102, 103, 180. */
export function requirePasswordAccount(ctx: SignInContext, account: Account): void {
  requireUsable(account, ctx.app.env, today(ctx.app.clock))
  if (!hasFlag(account.loginType, LoginType.DEFAULT)) fail('LOGIN_TYPE_REFUSED')
}

/** Rejects accounts that may not sign in with the verified password: the above, and 104 for a temporary one. */
export function requireSignIn(ctx: SignInContext, account: Account, { usedTemporary }: VerifiedPassword): void {
  requirePasswordAccount(ctx, account)
  if (isNew(account) || usedTemporary) fail('PASSWORD_CHANGE_REQUIRED')
}

/** Signs in from a browser. */
export async function signIn(
  ctx: FreeContext<undefined> & { cookies: Cookies },
  input: Credentials,
): Promise<Record<string, never>> {
  const { cookies } = ctx
  const verified = await verifySignIn(ctx, input, 'web')
  const token = await orLogRefusal(ctx, verified, 'web', () =>
    ctx.change(async (tx) => {
      const account = await lockVerifiedAccount(tx, verified, ctx.app)
      requireSignIn(ctx, account, verified)
      // Last of all: supplier staff change a temporary password in the portal, which opens no session.
      if (account.isPartner) fail('CLIENT_REQUIRED')
      return { result: await replaceSession(tx, ctx, account, cookies.session) }
    }),
  )
  cookies.setSession(token)
  return {}
}
