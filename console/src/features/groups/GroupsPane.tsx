// The tree of groups with a gear menu on each (spec S1 §2). Groups without a policy level are not shown.
import type { Group } from '@acc/contract/groups'
import { useState } from 'react'
import { useViewer } from '../../kit/api/viewer.ts'
import { Empty, QueryState } from '../../kit/layout/QueryState.tsx'
import { useTexts } from '../../kit/texts/texts.ts'
import { CreateGroupDialog } from './CreateGroupDialog.tsx'
import { type GroupAction, GroupGear } from './GroupGear.tsx'
import { GroupTree } from './GroupTree.tsx'
import { actionsOf, hasGear } from './groupActions.ts'
import { useGroupIndex, useGroupsWith } from './groups.queries.ts'
import { groupsTexts } from './groups.texts.ts'
import { ReorderDialog } from './ReorderDialog.tsx'
import { useRemoveGroup, useSetDmsRoot } from './useGroupActions.ts'

type Open = { dialog: 'create' | 'reorder'; group: Group }

type Props = {
  selected: number | undefined
  onSelect: (idx: number) => void
  /** Opens the details of a group. */
  onEdit: (idx: number) => void
}

export function GroupsPane({ selected, onSelect, onEdit }: Props) {
  const t = useTexts(groupsTexts)
  const { isAdmin } = useViewer()
  const { query, groups } = useGroupsWith('maxPolicy')
  const { find } = useGroupIndex()
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)
  const remove = useRemoveGroup((group, parent) => {
    if (selected === group.idx) onSelect(parent.idx)
  })
  const setDmsRoot = useSetDmsRoot()
  const parentOf = ({ parentIdx }: Group) => (parentIdx === null ? null : (find(parentIdx) ?? null))
  const act = (group: Group, action: GroupAction) => {
    if (action === 'create' || action === 'reorder') setOpen({ dialog: action, group })
    if (action === 'edit') onEdit(group.idx)
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
      <QueryState of={query}>
        {() =>
          groups.length === 0 ? (
            <Empty title={t('noGroups')} hint={t('noGroupsHint')} />
          ) : (
            <GroupTree
              groups={groups}
              selected={selected}
              onSelect={({ idx }) => onSelect(idx)}
              actions={gear}
              label={t('groups')}
              takesSlash={selected === undefined}
            />
          )
        }
      </QueryState>
      {open?.dialog === 'create' && (
        <CreateGroupDialog
          parent={open.group}
          onClose={close}
          onCreated={(idx) => {
            close()
            onSelect(idx)
          }}
        />
      )}
      {open?.dialog === 'reorder' && siblingsOf && <ReorderDialog parent={siblingsOf} onClose={close} />}
    </>
  )
}
