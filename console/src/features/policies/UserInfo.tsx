// A short summary of a user; the users screen shows the details.
import type { Group } from '@acc/contract/groups'
import { Level } from '@acc/contract/labels/access'
import type { Policy } from '@acc/contract/policies'
import { Button } from '@mantine/core'
import { IconArrowRight } from '@tabler/icons-react'
import { useViewer } from '../../kit/api/viewer.ts'
import { Facts, Pane } from '../../kit/layout/Page.tsx'
import { useOpenScreen } from '../../kit/layout/view.ts'
import { useTexts } from '../../kit/texts/texts.ts'
import { useGroupIndex } from '../groups/exports.ts'
import { policiesTexts } from './policies.texts.ts'

type Props = { idx: number; owner: Policy['owner']; group: Group }

export function UserInfo({ idx, owner, group }: Props) {
  const t = useTexts(policiesTexts)
  const openScreen = useOpenScreen()
  const { runtime } = useViewer()
  const { pathOf } = useGroupIndex()
  return (
    <Pane>
      <Facts
        rows={[
          [t('userId'), owner.id ?? '-'],
          [t('userName'), owner.name],
          [t('userGroup'), pathOf(group.idx).join(' › ') || owner.groupName],
          [t('singlePc'), t(owner.isSinglePC === 1 ? 'on' : 'off')],
        ]}
      />
      {group.maxUser > Level.NONE && runtime.show.account && (
        <div>
          <Button
            variant="default"
            rightSection={<IconArrowRight size={14} />}
            onClick={() => openScreen('users', { idx })}
          >
            {t('openUsers')}
          </Button>
        </div>
      )}
    </Pane>
  )
}
