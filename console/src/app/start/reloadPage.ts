// Reloads that the person cannot refuse, after the end of the session or the account.
import { tabMark } from '../../kit/browser/storage.ts'
import { dropUnsaved } from '../../kit/form/unsaved.ts'

/** Set while the page reloads after a dialog that explained why; without storage the next start explains it again. */
const mark = tabMark('acc.reloaded')

/** Reloads the page without the browser's question about unsaved changes. */
export function reloadPage(): void {
  dropUnsaved()
  mark.set(true)
  location.reload()
}

/** Whether the page was just reloaded by `reloadPage`; true once. */
export function wasReloaded(): boolean {
  const isMarked = mark.isSet()
  mark.set(false)
  return isMarked
}
