// Who a user is, in short; everything else about them is on the users screen.
import { api } from '@acc/contract'
import type { UserDetail } from '@acc/contract/users'
import { Button } from '@mantine/core'
import { IconArrowRight } from '@tabler/icons-react'
import { useViewer } from '../../kit/api/viewer.ts'
import { Facts, Pane } from '../../kit/layout/Page.tsx'
import { useOpenScreen } from '../../kit/layout/view.ts'
import { useTexts } from '../../kit/texts/texts.ts'
import { policiesTexts } from './policies.texts.ts'

export function UserInfo({ user }: { user: UserDetail }) {
  const t = useTexts(policiesTexts)
  const openScreen = useOpenScreen()
  const { can, runtime } = useViewer()
  return (
    <Pane>
      <Facts
        rows={[
          [t('userId'), user.id],
          [t('userName'), user.name],
          [t('userEmail'), user.email],
          [t('userGroup'), user.groupPath.join(' › ') || user.groupName],
        ]}
      />
      {can(api.users.search.access) && runtime.show.account && (
        <div>
          <Button
            variant="default"
            rightSection={<IconArrowRight size={14} />}
            onClick={() => openScreen('users', { idx: user.idx })}
          >
            {t('openUsers')}
          </Button>
        </div>
      )}
    </Pane>
  )
}
