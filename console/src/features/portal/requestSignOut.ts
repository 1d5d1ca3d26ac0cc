// Signing out (S1 section 4), from the portal and from the console.
import { call } from '../../kit/api/call.ts'
import { endsPage, markHandled } from '../../kit/api/errors.ts'
import { logout } from './portal.calls.ts'

/**
 * True where the session is over; one that had ended already is what was asked for. Anything else is told by the global
 * handler, and the person stays.
 */
export async function requestSignOut(): Promise<boolean> {
  try {
    await call(logout, {})
    return true
  } catch (error) {
    if (!endsPage(error)) return false
    markHandled(error)
    return true
  }
}
