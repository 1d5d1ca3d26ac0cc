// Signing out, from the portal and from the console (spec S1 §4).
import { call } from '../../kit/api/call.ts'
import { endsPage, markHandled } from '../../kit/api/errors.ts'
import { logout } from './portal.calls.ts'

/** Ends the session. Returns true even if it had already ended; false for other errors, which the global handler shows. */
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
