// Temporary tokens: 256 random bits, valid for a minute and one use (spec S1 §2, §7). Purpose `portal` opens a session
// of the same person in another browser. Purpose `dms` returns their identity to the document-security page.
import { later, minutes, today } from '../../clock.ts'
import type { Actor, Cookies, FreeContext } from '../../core/context.ts'
import { fail } from '../../core/errors.ts'
import { hashToken, newToken } from '../../crypto/token.ts'
import type { Tx } from '../../db/open.ts'
import { isNew } from '../credentials/accountStates.ts'
import { type Account, lockAccount } from '../credentials/credentials.queries.ts'
import { requireUsable } from '../credentials/signInAttempts.ts'
import { requireCount } from '../credentials/throttles.ts'
import {
  deleteTmpToken,
  findOpenSession,
  findTmpTokenOwner,
  insertTmpToken,
  lockTmpToken,
  type TmpTokenPurpose,
} from './session.queries.ts'
import { replaceSession } from './session.service.ts'

const TMP_TOKEN_SECONDS = 60
/** Tokens of a person within a minute. Each may leave a session and a lasting row of the sign-in log. */
const MAX_A_MINUTE = 60
/** Maximum number of ancestors of a session. */
const MAX_ANCESTORS = 4

/** Creates a token of the caller. */
export async function createTmpToken(
  ctx: FreeContext<Actor>,
  { purpose }: { purpose: TmpTokenPurpose },
): Promise<{ tmpToken: string }> {
  const { actor, services } = ctx
  const token = newToken()
  const now = services.clock.now()
  await ctx.change(async (tx) => {
    await requireCount(tx, { key: `tmpTokens:${actor.idx}`, max: MAX_A_MINUTE, window: minutes(1) }, now)
    await insertTmpToken(tx, {
      tokenHash: hashToken(token),
      userIdx: actor.idx,
      sessionIdx: actor.sessionIdx,
      fromClient: actor.kind === 'client' ? 1 : 0,
      purpose,
      expireDT: later(now, TMP_TOKEN_SECONDS * 1000),
    })
    return { result: undefined }
  })
  return { tmpToken: token }
}

type PublicContext = FreeContext<undefined> & { cookies: Cookies }
type Consumption = { tmpToken: string; replaces: 0 | 1 }
type TmpTokenResult =
  | { result: 'signedIn' }
  | { result: 'confirm'; id: string; name: string }
  | { result: 'identity'; id: string; name: string; email: string; groupName: string }

/** Locks and returns the owner of a token if they may use it. */
async function lockOwner(tx: Tx, { services }: PublicContext, userIdx: number): Promise<Account> {
  const account = await lockAccount(tx, userIdx)
  if (account === undefined) fail('NO_SESSION')
  requireUsable(account, services.env, today(services.clock))
  if (isNew(account)) fail('PASSWORD_CHANGE_REQUIRED')
  return account
}

/** Returns whether the browser has an open session of another person, who must agree to lose it. */
async function replacesAnother(tx: Tx, { services, cookies }: PublicContext, account: Account): Promise<boolean> {
  if (cookies.session === undefined) return false
  const open = await findOpenSession(tx, hashToken(cookies.session), services.clock.now())
  return open !== undefined && open.userIdx !== account.idx
}

type Outcome = { result: TmpTokenResult; session?: string }

async function useToken(tx: Tx, ctx: PublicContext, { tmpToken, replaces }: Consumption): Promise<Outcome> {
  const tokenHash = hashToken(tmpToken)
  const ownerIdx = await findTmpTokenOwner(tx, tokenHash)
  if (ownerIdx === undefined) fail('NO_SESSION')
  // The person first: what ends their sessions deletes the tokens afterwards.
  const account = await lockOwner(tx, ctx, ownerIdx)
  const token = await lockTmpToken(tx, tokenHash, ctx.services.clock.now())
  if (token === undefined) fail('NO_SESSION')
  const { id, name, email, groupName } = account
  if (token.purpose === 'dms') {
    await deleteTmpToken(tx, tokenHash)
    return { result: { result: 'identity', id, name, email, groupName } }
  }
  if (account.isPartner && token.fromClient === 0) fail('CLIENT_REQUIRED')
  if (token.ancestors.length >= MAX_ANCESTORS) fail('NOT_ALLOWED')
  if (replaces === 0 && (await replacesAnother(tx, ctx, account))) return { result: { result: 'confirm', id, name } }
  await deleteTmpToken(tx, tokenHash)
  const session = await replaceSession(tx, ctx, account, ctx.cookies.session, { parent: token })
  return { result: { result: 'signedIn' }, session }
}

/**
 * Uses a token. If the browser has a session of another person, the token remains valid and the result is `confirm`
 * until the call is repeated with `replaces`. Of two calls at once, one gets the token.
 */
export async function consumeTmpToken(ctx: PublicContext, input: Consumption): Promise<TmpTokenResult> {
  const { result, session } = await ctx.change(async (tx) => ({ result: await useToken(tx, ctx, input) }))
  if (session !== undefined) ctx.cookies.setSession(session)
  return result
}
