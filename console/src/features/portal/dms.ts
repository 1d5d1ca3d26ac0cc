// The document-security page opens beside the console. Its token tells that page who the person is, and opens no session.
import { call } from '../../kit/api/call.ts'
import { createTmpToken } from './portal.calls.ts'

export type DmsWindow = { open: () => Promise<void>; cancel: () => void }

/** Opens an empty window, since only a press may open one, for the page to be loaded once the person is signed in. */
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
        // The global handler shows the error; signing in goes on.
        page?.close()
      }
    },
    cancel: () => page?.close(),
  }
}
