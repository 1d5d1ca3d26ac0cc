// Filters the list by a group and its subtree, picked in the tree.
import { CloseButton, InputBase, Popover, Stack } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import { useState } from 'react'
import { QueryState } from '../../kit/layout/QueryState.tsx'
import { useTexts } from '../../kit/texts/texts.ts'
import { GroupTree, useGroupIndex, useGroupsWith } from '../groups/exports.ts'
import { usersTexts } from './users.ts'

type Props = { value: number | undefined; onChange: (groupIdx: number | undefined) => void }

export function GroupFilter({ value, onChange }: Props) {
  const t = useTexts(usersTexts)
  const { query, groups } = useGroupsWith('maxUser')
  const { pathOf } = useGroupIndex()
  const [isOpen, setOpen] = useState(false)
  const path = value === undefined ? undefined : pathOf(value).join(' › ')
  const name = value === undefined ? t('allGroups') : (pathOf(value).at(-1) ?? t('allGroups'))
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-start" trapFocus returnFocus shadow="md" width={320}>
      <Popover.Target>
        <InputBase
          component="button"
          type="button"
          pointer
          w={180}
          aria-label={path === undefined ? t('allGroups') : `${t('group')}: ${path}`}
          rightSection={
            value === undefined ? (
              <IconChevronDown size={14} />
            ) : (
              <CloseButton size="xs" aria-label={t('clearGroup')} onClick={() => onChange(undefined)} />
            )
          }
          onClick={() => setOpen(!isOpen)}
        >
          <div className="cut" title={path}>
            {name}
          </div>
        </InputBase>
      </Popover.Target>
      <Popover.Dropdown p={0}>
        <Stack gap={0} h="min(420px, 60dvh)">
          <QueryState of={query}>
            {() => (
              <GroupTree
                groups={groups}
                selected={value}
                onSelect={({ idx }) => {
                  onChange(idx)
                  setOpen(false)
                }}
              />
            )}
          </QueryState>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}
