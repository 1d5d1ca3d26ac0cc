// The document-security page opens beside the console, signed in by a temporary token (design, section 4).
import { call } from '../../kit/api/call.ts'
import { createTmpToken } from './portal.calls.ts'

/** Opens the window now and leads it there once the person is signed in. */
export function openDmsLater(link: string): { go: () => Promise<void>; giveUp: () => void } {
  const page = window.open('about:blank', '_blank')
  return {
    go: async () => {
      try {
        const { tmpToken } = await call(createTmpToken, { purpose: 'dms' })
        const address = new URL(link)
        address.searchParams.set('tmpToken', tmpToken)
        if (!page) return
        page.opener = null
        page.location.replace(address.href)
      } catch {
        // What failed is told by the global handler; signing in goes on.
        page?.close()
      }
    },
    giveUp: () => page?.close(),
  }
}
