// The gear menu of a group that the viewer may edit (spec S1 §2). Unavailable actions are shown with a reason.
import type { Group } from '@acc/contract/groups'
import { ActionIcon, Menu, Tooltip } from '@mantine/core'
import {
  IconArrowsSort,
  IconFolderPlus,
  IconPencil,
  type IconProps,
  IconSettings,
  IconShare2,
  IconTrash,
} from '@tabler/icons-react'
import type { ComponentType, MouseEvent } from 'react'
import { guarded } from '../../kit/form/unsaved.ts'
import { useTexts } from '../../kit/texts/texts.ts'
import type { Offer } from './groupActions.ts'
import { groupsTexts } from './groups.texts.ts'

export type GroupAction = 'create' | 'edit' | 'reorder' | 'setDmsRoot' | 'remove'

const ICONS: Record<GroupAction, ComponentType<IconProps>> = {
  create: IconFolderPlus,
  edit: IconPencil,
  reorder: IconArrowsSort,
  setDmsRoot: IconShare2,
  remove: IconTrash,
}
const ORDER = ['create', 'edit', 'reorder', 'setDmsRoot', 'remove'] as const

type Props = {
  group: Group
  offers: Record<Exclude<GroupAction, 'edit'>, Offer>
  onAction: (action: GroupAction) => void
}

/** Keeps a click on the menu from selecting the row behind it. */
const stop = (event: MouseEvent) => event.stopPropagation()

export function GroupGear({ group, offers, onAction }: Props) {
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
