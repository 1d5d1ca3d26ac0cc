// The mail with a temporary password: where administrators find it, and whether it is delivered at all.
import { MAX_LENGTH } from '@acc/contract/core/limits'
import { useViewer } from '../../kit/api/viewer.ts'
import type { ToastLink } from '../../kit/dialogs/toast.tsx'
import { useOpenScreen } from '../../kit/layout/view.ts'
import { useTexts } from '../../kit/texts/texts.ts'
import { usersTexts } from './users.ts'

/** Whether mail stays in the evaluation outbox. */
export const useIsOutbox = (): boolean => useViewer().configs.usesOutbox === 1

/** With an address its mails alone. */
export function useSentMailLink(email = ''): ToastLink | undefined {
  const t = useTexts(usersTexts)
  const openScreen = useOpenScreen()
  if (!useViewer().isAdmin) return undefined
  return {
    label: t('showMail'),
    open: () =>
      openScreen('settings', { menu: 'mailServer', tab: 'sent', receiver: email.slice(0, MAX_LENGTH.searchText) }),
  }
}
