// Opens the document-security page in a window of its own. Its token identifies the person there and opens no session.
import type { RuntimeConfig } from '@acc/contract/configs'
import { call } from '../../kit/api/call.ts'
import { createTmpToken } from './portal.calls.ts'

export type DmsWindow = { open: () => Promise<void>; cancel: () => void }
type Runtime = Pick<RuntimeConfig, 'isExternalMode' | 'dmsLink'>

export const canOpenDms = ({ isExternalMode, dmsLink }: Runtime): boolean => !isExternalMode && dmsLink !== ''

/**
 * Opens an empty window during the click, as browsers require. The page is loaded in it after sign-in. Returns null
 * where there is no such page or the person does not want it.
 */
export function openDmsLater(runtime: Runtime, isWanted: boolean): DmsWindow | null {
  if (!isWanted || !canOpenDms(runtime)) return null
  const page = window.open('about:blank', '_blank')
  return {
    open: async () => {
      try {
        const { tmpToken } = await call(createTmpToken, { purpose: 'dms' })
        const address = new URL(runtime.dmsLink)
        address.searchParams.set('tmpToken', tmpToken)
        if (!page) return
        page.opener = null
        page.location.replace(address.href)
      } catch {
        // The global handler shows the error; sign-in continues.
        page?.close()
      }
    },
    cancel: () => page?.close(),
  }
}
