// After a sign-in: recommends to change an old password, then opens the page that the person may enter (spec S1 §4).
import type { AppConfigs } from '@acc/contract/configs'
import type { Session } from '@acc/contract/session'
import { confirm } from '../../kit/dialogs/dialogs.tsx'
import { useTexts } from '../../kit/texts/texts.ts'
import { isPasswordOld, landing, postponeLicense } from './afterSignIn.ts'
import type { DmsWindow } from './dms.ts'
import { portalTexts } from './portal.texts.ts'

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
