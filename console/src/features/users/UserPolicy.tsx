// Shows whether a user has an own policy, with a link to the policy screen.
import type { UserDetail } from '@acc/contract/users'
import { Button, Group } from '@mantine/core'
import { IconArrowRight } from '@tabler/icons-react'
import { useViewer } from '../../kit/api/viewer.ts'
import { Section } from '../../kit/layout/Page.tsx'
import { useOpenScreen } from '../../kit/layout/view.ts'
import { StatusDot } from '../../kit/table/StatusDot.tsx'
import { useTexts } from '../../kit/texts/texts.ts'
import { useGroupIndex } from '../groups/exports.ts'
import { usersTexts } from './users.ts'

export function UserPolicy({ user }: { user: UserDetail }) {
  const t = useTexts(usersTexts)
  const openScreen = useOpenScreen()
  const { runtime } = useViewer()
  const { find } = useGroupIndex()
  const isOwn = user.isMyPolicy === 1
  const canOpen = runtime.show.policy && (find(user.groupIdx)?.maxPolicy ?? 0) > 0
  return (
    <Section title={t('policy')}>
      <Group justify="space-between">
        <StatusDot tone={isOwn ? 'accent' : 'quiet'}>{isOwn ? t('ownPolicy') : t('inherited')}</StatusDot>
        {canOpen && (
          <Button
            size="compact-sm"
            variant="default"
            rightSection={<IconArrowRight size={13} />}
            onClick={() => openScreen('policies', { groupIdx: user.groupIdx, userIdx: user.idx })}
          >
            {t('openPolicy')}
          </Button>
        )}
      </Group>
    </Section>
  )
}
