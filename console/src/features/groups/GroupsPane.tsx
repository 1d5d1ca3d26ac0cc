// The tree of groups with a gear menu on each (spec S1 §2). Groups without a policy level are not shown.

import { api } from '@acc/contract'
import type { Group } from '@acc/contract/groups'
import { ActionIcon, Menu, TextInput, Tooltip } from '@mantine/core'
import {
  IconArrowsSort,
  IconFolderPlus,
  IconPencil,
  type IconProps,
  IconSettings,
  IconShare2,
  IconTrash,
} from '@tabler/icons-react'
import { type ComponentType, type MouseEvent, useState } from 'react'
import { useViewer } from '../../kit/api/viewer.ts'
import { FormDialog } from '../../kit/form/FormDialog.tsx'
import { guarded } from '../../kit/form/unsaved.ts'
import { useApiForm } from '../../kit/form/useApiForm.ts'
import { Empty, QueryState } from '../../kit/layout/QueryState.tsx'
import { useTexts } from '../../kit/texts/texts.ts'
import { GroupField } from './GroupField.tsx'
import { GroupTree } from './GroupTree.tsx'
import { actionsOf, hasGear, isParent, type Offer } from './groupActions.ts'
import { groupsTexts, useGroupIndex, useGroupsWith } from './groups.ts'
import { ReorderDialog } from './ReorderDialog.tsx'
import { useRemoveGroup, useSetDmsRoot } from './useGroupActions.ts'

type CreateGroupDialogProps = {
  parent: Group
  /** Whether the parent can be changed: it was not chosen. */
  choosesParent: boolean
  onClose: () => void
  onCreated: (idx: number) => void
}

/** Dialog that creates a subgroup (spec S1 §5). */
function CreateGroupDialog({ parent, choosesParent, onClose, onCreated }: CreateGroupDialogProps) {
  const t = useTexts(groupsTexts)
  const { isAdmin } = useViewer()
  const form = useApiForm(api.groups.create, {
    initial: { parentIdx: parent.idx, name: '', description: '', key: '' },
    fields: { DUPLICATE_NAME: 'name', NO_GROUP: 'name', DUPLICATE_KEY: 'key' },
    messages: { name: t('nameFormat'), description: t('descriptionFormat'), key: t('keyFormat') },
    done: t('created'),
    onDone: ({ idx }) => onCreated(idx),
  })
  return (
    <FormDialog
      title={choosesParent ? t('newGroup') : t('createTitle', { name: parent.name })}
      action={t('create')}
      form={form}
      onClose={onClose}
      isNew
    >
      <TextInput label={t('name')} withAsterisk data-autofocus {...form.field('name')} />
      {choosesParent && (
        <GroupField
          label={t('parent')}
          required
          whyDisabled={(group) => (isParent(group) ? undefined : t('pick.noEditRight'))}
          {...form.field('parentIdx')}
        />
      )}
      <TextInput label={t('description')} {...form.field('description')} />
      {isAdmin && <TextInput label={t('key')} placeholder={t('keyHint')} {...form.field('key')} />}
    </FormDialog>
  )
}

/** The gear menu of a group that the viewer may edit (spec S1 §2). Unavailable actions are shown with a reason. */
type GroupAction = 'create' | 'edit' | 'reorder' | 'setDmsRoot' | 'remove'

const ICONS: Record<GroupAction, ComponentType<IconProps>> = {
  create: IconFolderPlus,
  edit: IconPencil,
  reorder: IconArrowsSort,
  setDmsRoot: IconShare2,
  remove: IconTrash,
}
const ORDER = ['create', 'edit', 'reorder', 'setDmsRoot', 'remove'] as const

type GroupActionProps = {
  group: Group
  offers: Record<Exclude<GroupAction, 'edit'>, Offer>
  onAction: (action: GroupAction) => void
}

/** Keeps a click on the menu from selecting the row behind it. */
const stop = (event: MouseEvent) => event.stopPropagation()

function GroupGear({ group, offers, onAction }: GroupActionProps) {
  const t = useTexts(groupsTexts)
  const offerOf = (action: GroupAction): Offer => (action === 'edit' ? 'open' : offers[action])
  const item = (action: GroupAction) => {
    const offer = offerOf(action)
    if (offer === 'absent') return null
    const Icon = ICONS[action]
    const why = offer === 'open' ? undefined : t(`refusal.${offer}`)
    return (
      <Tooltip key={action} label={why} disabled={why === undefined} position="right">
        <Menu.Item
          leftSection={<Icon size={14} />}
          {...(action === 'remove' && offer === 'open' ? { c: 'var(--bad)' } : {})}
          data-disabled={why !== undefined || undefined}
          aria-disabled={why !== undefined}
          closeMenuOnClick={why === undefined}
          onClick={() => why === undefined && guarded(onAction)(action)}
        >
          {t(`action.${action}`)}
        </Menu.Item>
      </Tooltip>
    )
  }
  return (
    <Menu position="bottom-start" width={220} withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <ActionIcon size={22} aria-label={t('gear', { name: group.name })} onClick={stop}>
          <IconSettings size={14} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown onClick={stop}>{ORDER.map(item)}</Menu.Dropdown>
    </Menu>
  )
}

type Open = { dialog: 'create' | 'reorder'; group: Group }

type Props = {
  selected: number | undefined
  onSelect: (idx: number) => void
  /** Opens the details of a group. */
  onEdit: (idx: number) => void
  /** A group is to be created, below one that the dialog asks for. */
  isCreating: boolean
  onCreating: (isCreating: false) => void
}

export function GroupsPane({ selected, onSelect, onEdit, isCreating, onCreating }: Props) {
  const t = useTexts(groupsTexts)
  const { isAdmin } = useViewer()
  const { query, groups } = useGroupsWith('maxPolicy')
  const { find, rows } = useGroupIndex()
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)
  const [arrived, setArrived] = useState<number>()
  const welcome = (idx: number) => {
    setArrived(idx)
    onSelect(idx)
  }
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
  const parents = rows.map(({ group }) => group).filter(isParent)
  const parent = parents.find(({ idx }) => idx === selected) ?? parents[0]
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
              arrived={arrived}
              onArrived={() => setArrived(undefined)}
              takesSlash={selected === undefined}
            />
          )
        }
      </QueryState>
      {open?.dialog === 'create' && (
        <CreateGroupDialog
          parent={open.group}
          choosesParent={false}
          onClose={close}
          onCreated={(idx) => {
            close()
            welcome(idx)
          }}
        />
      )}
      {isCreating && parent && (
        <CreateGroupDialog parent={parent} choosesParent onClose={() => onCreating(false)} onCreated={welcome} />
      )}
      {open?.dialog === 'reorder' && siblingsOf && <ReorderDialog parent={siblingsOf} onClose={close} />}
    </>
  )
}
