// Opens the document-security page beside the console. Its token identifies the person there and opens no session.
import { call } from '../../kit/api/call.ts'
import { createTmpToken } from './portal.calls.ts'

export type DmsWindow = { open: () => Promise<void>; cancel: () => void }

/** Opens an empty window during the click, as browsers require; the page is loaded in it after sign-in. */
export function openDmsLater(link: string): DmsWindow {
  const page = window.open('about:blank', '_blank')
  return {
    open: async () => {
      try {
        const { tmpToken } = await call(createTmpToken, { purpose: 'dms' })
        const address = new URL(link)
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
