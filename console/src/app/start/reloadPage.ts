// Reloads that the person cannot refuse, after the end of the session or the account.
import { dropUnsaved } from '../../kit/form/unsaved.ts'

/** Set while the page reloads after a dialog that explained why. */
const MARK = 'acc.reloaded'

/** Reloads the page without the browser's question about unsaved changes. */
export function reloadPage(): void {
  dropUnsaved()
  try {
    sessionStorage.setItem(MARK, '1')
  } catch {
    // Without storage the next start explains it again.
  }
  location.reload()
}

/** Whether the page was just reloaded by `reloadPage`; true once. */
export function wasReloaded(): boolean {
  try {
    const mark = sessionStorage.getItem(MARK)
    sessionStorage.removeItem(MARK)
    return mark !== null
  } catch {
    return false
  }
}
