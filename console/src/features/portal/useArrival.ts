// After a sign-in: recommends to change an old password, opens the page that the person may enter (spec S1 §4), and the
// document-security page in a window of its own, whose token identifies the person there and opens no session.
import type { AppConfigs, RuntimeConfig } from '@acc/contract/configs'
import type { Session } from '@acc/contract/session'
import { call } from '../../kit/api/call.ts'
import { confirm } from '../../kit/dialogs/dialogs.tsx'
import { useTexts } from '../../kit/texts/texts.ts'
import { isPasswordOld, landing, postponeLicense } from './afterSignIn.ts'
import { createTmpToken } from './portal.calls.ts'
import { portalTexts } from './portal.texts.ts'

type DmsWindow = { open: () => Promise<void>; cancel: () => void }
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

type Choices = {
  configs: AppConfigs
  onSignedIn: (session: Session) => void
  onChangePassword: (session: Session) => void
}

export function useArrival({ configs, onSignedIn, onChangePassword }: Choices) {
  const t = useTexts(portalTexts)
  const days = configs.pwChangeRecommendDays
  const wantsChange = async (session: Session): Promise<boolean> =>
    isPasswordOld(session, days, Date.now()) &&
    (await confirm({
      title: t('recommend.title'),
      body: t('recommend.body', { count: days }),
      action: t('recommend.now'),
      cancel: t('recommend.later'),
    }))
  return async (session: Session, dms: DmsWindow | null): Promise<void> => {
    postponeLicense(false)
    const changesPassword = await wantsChange(session)
    // The DMS window belongs to the console, which is entered only now.
    if (!changesPassword && landing(session, configs) === 'main') await dms?.open()
    else dms?.cancel()
    if (changesPassword) onChangePassword(session)
    else onSignedIn(session)
  }
}
