// Reloads that the person cannot refuse: the session or the account is gone.
import { dropUnsaved } from '../../kit/form/unsaved.ts'

/** Set while the page reloads because of a session whose end the person has been told of. */
const TOLD = 'acc.told'

/** Reloads the page without the browser's question about unsaved changes. */
export function reloadPage(): void {
  dropUnsaved()
  try {
    sessionStorage.setItem(TOLD, '1')
  } catch {
    // Without storage the person is told twice.
  }
  location.reload()
}

/** Whether the page was just reloaded by `reloadPage`; true once. */
export function wasReloaded(): boolean {
  try {
    const told = sessionStorage.getItem(TOLD)
    sessionStorage.removeItem(TOLD)
    return told !== null
  } catch {
    return false
  }
}
