// Signing out, from the portal and from the console (spec S1 §4). Nothing that was typed is left in the browser.

import type { DataOf } from '@acc/contract/core/route'
import type { session } from '@acc/contract/session'
import { call } from '../../kit/api/call.ts'
import { endsPage, markHandled } from '../../kit/api/errors.ts'
import { deleteDrafts } from '../../kit/browser/drafts.ts'
import { logout } from './portal.calls.ts'

/**
 * Ends the session. Returns a result even if it had already ended, and where the single sign-on provider ends its own.
 * Undefined for other errors, which the global handler shows.
 */
export async function requestSignOut(): Promise<DataOf<typeof session.logout> | undefined> {
  try {
    const ended = await call(logout, {})
    deleteDrafts()
    return ended
  } catch (error) {
    if (!endsPage(error)) return undefined
    markHandled(error)
    deleteDrafts()
    return {}
  }
}
