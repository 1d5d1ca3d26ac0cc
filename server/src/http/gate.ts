// The gate: decides before a handler runs whether the caller may use the route at all. Rows are the scope's business.
import { type Access, can } from '@acc/contract/core/access'
import type { Actor } from '../core/context.ts'
import { fail } from '../core/errors.ts'

/**
 * Rejects calls of the administration in external mode, administrators' calls too: everybody gets the download page
 * (spec S1 §1).
 */
export function requireMode(
  route: { access: Access; kind: string; inExternalMode?: true },
  isExternalMode: boolean,
): void {
  const isAdministration = route.access === 'admin' || typeof route.access === 'object' || route.kind === 'events'
  if (isExternalMode && isAdministration && route.inExternalMode !== true) fail('NOT_ALLOWED')
}

/** Lets the caller through or ends the call: 960 without a session, 162 without the device, 980 without the right. */
export function requireAccess(access: Access, actor: Actor | undefined): void {
  if (access === 'public') return
  if (actor === undefined) fail('NO_SESSION')
  if (access === 'agent') {
    if (actor.kind !== 'client') fail('NOT_ALLOWED')
    if (actor.deviceIdx === null) fail('DEVICE_REMOVED')
    return
  }
  // A desktop client's token opens the client's door only; the browser's session only the console's.
  if (actor.kind !== 'web' || !can(actor, access)) fail('NOT_ALLOWED')
}
