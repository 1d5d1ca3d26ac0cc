// acc-client watch: keeps the session by heartbeats and prints changes, until Ctrl-C or the session's end.
import { setTimeout as wait } from 'node:timers/promises'
import type { AgentPolicy } from '@acc/contract/agent'
import type { RequestStatus } from '@acc/contract/requestState'
import { isPassing } from '../connection.ts'
import { type Context, type SignedIn, signedIn } from '../context.ts'
import { usageError } from '../errors.ts'
import { defineCommand, numberIn } from '../options.ts'
import { plain } from '../output.ts'
import { listChanges, policyChanges } from '../policy.texts.ts'

/** Seconds between two heartbeats. */
const INTERVAL = 30
/** Only the newest requests are watched. */
const WATCHED = 100

type Snapshot = { policy: AgentPolicy; deployedVersion: string | null; requests: ReadonlyMap<number, RequestStatus> }
type State = Snapshot & { signOut: 0 | 1 }

export const watch = defineCommand({
  options: { interval: { type: 'string' } },
  args: [0, 0],
  async run(context, { interval }) {
    if (context.isJson) throw usageError((texts) => texts.watchNoJson)
    const requested = interval === undefined ? INTERVAL : numberIn('interval', interval, [1, 3600])
    const signed = await signedIn(context)
    const pause = Math.min(requested * 1000, signed.session.sessionValidMinutes * 20_000)
    const mustSignOut = await follow(context, signed, pause)
    if (mustSignOut) await signOut(context, signed)
    return { document: {}, lines: mustSignOut ? [context.texts.signOutRequested, context.texts.signedOut] : [] }
  },
})

/** Polls for changes. True when the server asks to sign out, false on Ctrl-C. */
async function follow(context: Context, signed: SignedIn, pause: number): Promise<boolean> {
  const { signal, print, texts, server } = context
  let seen: State | undefined
  let isLost = false
  while (!signal.aborted) {
    try {
      const now = await findState(signed, seen, signal)
      if (isLost) print(texts.connectionBack)
      if (seen === undefined) print(texts.watching(server))
      else for (const line of differences(context, seen, now)) print(line)
      isLost = false
      seen = now
      if (now.signOut === 1) return true
    } catch (error) {
      if (signal.aborted) return false
      if (!isPassing(error) || seen === undefined) throw error
      if (!isLost) print(texts.connectionLost)
      isLost = true
    }
    await wait(pause, undefined, { signal }).catch(() => undefined)
  }
  return false
}

async function findState(
  { calls, session }: SignedIn,
  seen: Snapshot | undefined,
  signal: AbortSignal,
): Promise<State> {
  const beat = await calls.agent.heartbeat({ clientVersion: session.clientVersion }, { signal })
  const isPolicyNew = seen?.policy.revision !== beat.policyRevision
  const policy = isPolicyNew ? await calls.agent.findPolicy({}, { signal }) : seen.policy
  const { items } = await calls.requests.searchOwn({ rowsCount: WATCHED }, { signal })
  const requests = new Map(items.map((request): [number, RequestStatus] => [request.idx, request]))
  return { policy, deployedVersion: beat.deployedVersion, signOut: beat.signOut, requests }
}

/** Returns the differences as lines. */
function differences({ texts, language }: Context, before: Snapshot, now: Snapshot): string[] {
  const lines: string[] = []
  if (before.policy.revision !== now.policy.revision) {
    const changes = [
      ...policyChanges(before.policy.policy, now.policy.policy, language),
      ...listChanges(before.policy, now.policy, language),
    ]
    lines.push(texts.policyChanged(plain(now.policy.revision)), ...changes.map((change) => `  ${change}`))
  }
  if (now.deployedVersion !== null && before.deployedVersion !== now.deployedVersion) {
    lines.push(texts.clientDeployed(plain(now.deployedVersion)))
  }
  for (const [idx, request] of now.requests) {
    const former = before.requests.get(idx)
    const state = texts.stateOf(request)
    if (former === undefined || texts.stateOf(former) !== state) lines.push(texts.stateChanged(idx, state))
  }
  return lines
}

async function signOut({ state }: Context, { calls, session }: SignedIn): Promise<void> {
  await calls.agent.logout({}).catch(() => undefined)
  const kept = await state.read()
  if (kept.session?.token === session.token) await state.write({ ...kept, session: undefined })
}
