// The gate: decides before a handler runs whether the caller may use the route at all. Rows are the scope's business.
import { type Access, can } from '@acc/contract/core/access'
import type { RegisterPart } from '@acc/contract/core/route'
import type { Actor, BimServerCaller } from '../core/context.ts'
import { fail } from '../core/errors.ts'

/** Whether a part of the register step is still to be done. */
export type IsRegisterDue = (part: RegisterPart) => Promise<boolean>

/**
 * Rejects calls of the administration in external mode, administrators' calls too: everybody gets the download page
 * (spec S1 §1). Only the register step comes before it, as long as it is due.
 */
export async function requireMode(
  route: { access: Access; kind: string; inExternalMode?: RegisterPart },
  isExternalMode: boolean,
  isRegisterDue: IsRegisterDue,
): Promise<void> {
  const isAdministration = route.access === 'admin' || typeof route.access === 'object' || route.kind === 'events'
  if (!isExternalMode || !isAdministration) return
  if (route.inExternalMode === undefined || !(await isRegisterDue(route.inExternalMode))) fail('NOT_ALLOWED')
}

/** Lets the caller through or ends the call: 960 without a session, 162 without the device, 980 without the right. */
export function requireAccess(access: Access, actor: Actor | undefined, server: BimServerCaller | undefined): void {
  if (access === 'public') return
  if (access === 'bimServer' && server !== undefined) return
  if (actor === undefined) fail('NO_SESSION')
  if (access === 'agent') {
    if (actor.kind !== 'client') fail('NOT_ALLOWED')
    if (actor.deviceIdx === null) fail('DEVICE_REMOVED')
    return
  }
  // A desktop client's token opens the client's door only; the browser's session only the console's.
  if (actor.kind !== 'web' || !can(actor, access)) fail('NOT_ALLOWED')
}
