// The tree of groups with the gear of each (S1 section 2). Groups without a policy level are not shown.
import type { Group } from '@acc/contract/groups'
import { useState } from 'react'
import { useViewer } from '../../kit/api/viewer.ts'
import { Empty, Loaded } from '../../kit/layout/Status.tsx'
import { useTexts } from '../../kit/texts/texts.ts'
import { GroupTree } from '../../kit/tree/GroupTree.tsx'
import { useGroupIndex } from '../../kit/tree/groups.ts'
import { CreateGroupDialog } from './CreateGroupDialog.tsx'
import { type GroupAction, GroupGear } from './GroupGear.tsx'
import { actionsOf, hasGear } from './groupActions.ts'
import { usePolicyGroups } from './policies.queries.ts'
import { policiesTexts } from './policies.texts.ts'
import type { PoliciesProps } from './policiesView.ts'
import { ReorderDialog } from './ReorderDialog.tsx'
import { useRemoveGroup, useSetDmsRoot } from './useGroupActions.ts'

type Open = { dialog: 'create' | 'reorder'; group: Group }

export function GroupsPane({ view, setView }: PoliciesProps) {
  const t = useTexts(policiesTexts)
  const { isAdmin } = useViewer()
  const { query, groups } = usePolicyGroups()
  const { find } = useGroupIndex()
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)
  const focus = (groupIdx: number) => setView({ groupIdx, userIdx: undefined })
  const remove = useRemoveGroup((group, parent) => {
    if (view.groupIdx === group.idx) focus(parent.idx)
  })
  const setDmsRoot = useSetDmsRoot()
  const parentOf = ({ parentIdx }: Group) => (parentIdx === null ? null : (find(parentIdx) ?? null))
  const act = (group: Group, action: GroupAction) => {
    if (action === 'create' || action === 'reorder') setOpen({ dialog: action, group })
    if (action === 'edit') setView({ groupIdx: group.idx, userIdx: undefined, tab: 'info' })
    if (action === 'setDmsRoot') void setDmsRoot(group)
    if (action === 'remove') void remove(group)
  }
  const gear = (group: Group) =>
    hasGear(group) && (
      <GroupGear
        group={group}
        offers={actionsOf({ group, parent: parentOf(group) }, isAdmin)}
        onAction={(action) => act(group, action)}
      />
    )
  const siblingsOf = open && parentOf(open.group)
  return (
    <>
      <Loaded of={query}>
        {() =>
          groups.length === 0 ? (
            <Empty title={t('noGroups')} hint={t('noGroupsHint')} />
          ) : (
            <GroupTree
              groups={groups}
              selected={view.groupIdx}
              onSelect={({ idx }) => focus(idx)}
              actions={gear}
              label={t('groups')}
            />
          )
        }
      </Loaded>
      {open?.dialog === 'create' && (
        <CreateGroupDialog
          parent={open.group}
          onClose={close}
          onCreated={(idx) => {
            close()
            focus(idx)
          }}
        />
      )}
      {open?.dialog === 'reorder' && siblingsOf && <ReorderDialog parent={siblingsOf} onClose={close} />}
    </>
  )
}
