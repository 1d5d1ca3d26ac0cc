// The desktop client's session: sign-in from a PC that takes a license, policy and heartbeats. Supplier staff can sign
// in here only (spec S1 §1).
import { createHash } from 'node:crypto'
import type { AgentPolicy, agent } from '@acc/contract/agent'
import { flagOf } from '@acc/contract/labels/flags'
import type { SignInType } from '@acc/contract/labels/history'
import type { z } from 'zod'
import { logOf, notify } from '../../core/change.ts'
import type { Actor, ChangeContext, FreeContext, Read } from '../../core/context.ts'
import { fail } from '../../core/errors.ts'
import type { Reader } from '../../db/open.ts'
import type { Env } from '../../env.ts'
import { findDeployedClient } from '../clientVersions/clientVersions.service.ts'
import { clientConfigsOf, clientConfigsRevisionOf } from '../configTexts/configTexts.service.ts'
import { lockVerifiedAccount, type VerifiedPassword } from '../credentials/signInAttempts.ts'
import { takeLicense } from '../licenses/licenses.service.ts'
import { effectiveOf } from '../policies/policies.service.ts'
import { openSession } from '../session/session.service.ts'
import {
  orLogRefusal,
  requireFactor,
  requireSignIn,
  requireUnchangedFactor,
  verifySignIn,
} from '../session/session.signIn.ts'
import { createTmpToken } from '../session/session.tmpTokens.ts'
import {
  type ClientRow,
  findClientRow,
  findClientState,
  findFullClientRow,
  updateClientLogin,
  updateClientVersion,
} from './agent.queries.ts'

type Credentials = z.output<typeof agent.login.input>
type SignInContext = ChangeContext<undefined, 'licenseUse'>

/** Signs a person in from a PC, registers the PC, takes a license if it has none, and opens a session. */
export async function signInClient(ctx: SignInContext, input: Credentials) {
  const { id, pw, otp, deviceName, clientVersion } = input
  const device = { deviceName, clientVersion }
  const verified = await verifySignIn(ctx, { id, pw }, 'client', device)
  await orLogRefusal(ctx, verified, 'client', () => requireSignIn(ctx, ctx.read, verified.account, verified), device)
  const type = await requireFactor(ctx, verified, 'client', otp, device)
  return orLogRefusal(ctx, verified, 'client', () => openFromDevice(ctx, verified, input, type), device)
}

function openFromDevice(ctx: SignInContext, verified: VerifiedPassword, input: Credentials, type: SignInType) {
  const { services, ip } = ctx
  const { deviceId, deviceName, clientVersion } = input
  return ctx.change(async (tx) => {
    const account = await lockVerifiedAccount(tx, verified, services)
    await requireSignIn(ctx, tx, account, verified)
    await requireUnchangedFactor(tx, verified, account, type)
    await updateClientLogin(tx, account.idx, services.clock.now())
    const pc = { deviceId, deviceName, clientVersion, ip }
    const { device, log } = await takeLicense(tx, services, account, pc)
    const token = await openSession(tx, services, account, ctx, {
      type,
      device: { deviceIdx: device.idx, deviceName, clientVersion },
    })
    await notify(tx, { topic: 'signIns', groupIdx: account.groupIdx })
    const policyRevision = await findClientRevision(tx, services.env, account.idx)
    const result = { token, user: account, policyRevision, sessionValidMinutes: services.env.sessionMinutes }
    return { result, log: logOf(log) }
  })
}

type ClientEnv = Pick<Env, 'publicUrl'>

/** Returns one revision for everything that the client receives. */
function revisionFor(row: ClientRow, env: ClientEnv): string {
  const { revision, isSinglePC } = effectiveOf(row)
  const configs = clientConfigsRevisionOf(row, env)
  return createHash('sha256').update(`${revision} ${isSinglePC} ${configs}`).digest('base64url').slice(0, 22)
}

/** Returns the revision of `findClientPolicy` without reading its lists and texts. */
const findClientRevision = async (db: Reader, env: ClientEnv, userIdx: number): Promise<string> =>
  revisionFor(await findClientRow(db, userIdx), env)

/** Finds the policy that the client enforces, with its exceptions, shortcuts and configurations. */
async function findClientPolicy(db: Reader, env: ClientEnv, userIdx: number): Promise<AgentPolicy> {
  const row = await findFullClientRow(db, userIdx)
  const { policyNetworkExceptions, policyLocalNetworkExceptions, policyLoopbackExceptions } = row
  const { ownerName, isSinglePC, shortcutWebs, shortcutPrograms } = row
  return {
    revision: revisionFor(row, env),
    ownerName,
    policy: effectiveOf(row).values,
    isSinglePC,
    policyNetworkExceptions,
    policyLocalNetworkExceptions,
    policyLoopbackExceptions,
    shortcutWebs,
    shortcutPrograms,
    ...clientConfigsOf(row, env),
  }
}

/** Answers a heartbeat. The runner has already extended the session. */
export async function heartbeat(ctx: FreeContext<Actor>, { clientVersion }: { clientVersion?: string | undefined }) {
  const { services, actor } = ctx
  const state = (await findClientState(ctx.read, actor, services.clock.now())) ?? fail('SESSION_ENDED')
  const policyRevision = await findClientRevision(ctx.read, services.env, actor.idx)
  const { deviceIdx } = actor
  if (clientVersion !== undefined && deviceIdx !== null && clientVersion !== state.clientVersion) {
    await ctx.change(async (tx) => ({ result: await updateClientVersion(tx, deviceIdx, clientVersion) }))
  }
  return {
    policyRevision,
    deployedVersion: (await findDeployedClient(ctx.read))?.version ?? null,
    // A user restricted to one PC uses the PC of the latest sign-in.
    signOut: flagOf(state.isSinglePC === 1 && Boolean(state.isElsewhere)),
  }
}

export const findPolicy = (ctx: Read): Promise<AgentPolicy> =>
  findClientPolicy(ctx.read, ctx.services.env, ctx.actor.idx)

/** Creates a link that opens the portal signed in, for a minute. */
export async function createPortalLink(ctx: FreeContext<Actor>) {
  const { tmpToken } = await createTmpToken(ctx, { purpose: 'portal' })
  const { publicUrl, runtime } = ctx.services.env
  return { tmpToken, url: `${publicUrl}${runtime.frontRoute}/?tmpToken=${tmpToken}` }
}
