// Where administrators find the mail with a temporary password, also while mail is only kept in the outbox.
import { useViewer } from '../../kit/api/viewer.ts'
import type { ToastLink } from '../../kit/dialogs/toast.tsx'
import { useOpenScreen } from '../../kit/layout/view.ts'
import { useTexts } from '../../kit/texts/texts.ts'
import { usersTexts } from './users.texts.ts'

export function useSentMailLink(): ToastLink | undefined {
  const t = useTexts(usersTexts)
  const openScreen = useOpenScreen()
  if (!useViewer().isAdmin) return undefined
  return { label: t('showMail'), open: () => openScreen('settings', { menu: 'mailServer', tab: 'sent' }) }
}
