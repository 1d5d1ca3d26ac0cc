// Form field for one group: shows the path and opens the tree below the field.
import type { Group } from '@acc/contract/groups'
import { Level } from '@acc/contract/labels/access'
import { InputBase } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import { type ReactNode, useId, useRef, useState } from 'react'
import { useEscape } from '../../kit/dialogs/useEscape.ts'
import { QueryState } from '../../kit/layout/QueryState.tsx'
import { useTexts } from '../../kit/texts/texts.ts'
import css from './Groups.module.css'
import { GroupTree } from './GroupTree.tsx'
import { groupsTexts, useAuthGroups, useGroupIndex } from './groups.ts'

type Props = {
  label: string
  value?: number | null
  onChange?: (idx: number) => void
  error?: ReactNode
  wrapperProps?: { 'data-changed': boolean | undefined }
  disabled?: boolean
  required?: boolean
  /** Shown if the group is not in the tree because it is outside the viewer's groups. */
  fallback?: string
  /** Why a group cannot be chosen; by default if the viewer may not edit its users. */
  whyDisabled?: (group: Group) => string | undefined
}

const focusSearch = (box: HTMLElement | null) => box?.querySelector<HTMLElement>('[data-autofocus]')?.focus()

function Unfolded({ onEscape, children }: { onEscape: () => void; children: ReactNode }) {
  useEscape(onEscape)
  return <div className={css.open}>{children}</div>
}

/** Offers the groups whose users the viewer may edit: `<GroupField label={...} {...form.field('groupIdx')} />`. */
export function GroupField({
  label,
  value,
  onChange,
  fallback,
  error,
  wrapperProps,
  disabled,
  required,
  ...props
}: Props) {
  const t = useTexts(groupsTexts)
  const withoutUsers = ({ maxUser }: Group) => (maxUser === Level.EDIT ? undefined : t('pick.noEditRight'))
  const groups = useAuthGroups()
  const { pathOf } = useGroupIndex()
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const path = typeof value === 'number' ? pathOf(value).join(' › ') || fallback : undefined
  const fold = () => {
    setOpen(false)
    button.current?.focus()
  }
  const choose = ({ idx }: Group) => {
    onChange?.(idx)
    fold()
  }
  return (
    <div>
      <InputBase
        ref={button}
        id={id}
        // The library gives the label this id.
        aria-labelledby={`${id}-label ${id}-value`}
        component="button"
        type="button"
        pointer
        label={label}
        error={error}
        wrapperProps={wrapperProps}
        disabled={disabled}
        withAsterisk={required}
        aria-expanded={isOpen}
        rightSection={<IconChevronDown size={14} />}
        rightSectionPointerEvents="none"
        onClick={() => setOpen(!isOpen)}
      >
        {path === undefined ? (
          <span id={`${id}-value`} className="quiet">
            {t('pick.chooseGroup')}
          </span>
        ) : (
          <div id={`${id}-value`} className="cut" title={path}>
            {path}
          </div>
        )}
      </InputBase>
      {isOpen && (
        <Unfolded onEscape={fold}>
          <QueryState of={groups}>
            {(data) => (
              <div ref={focusSearch} className="fill">
                <GroupTree
                  groups={data.groups}
                  selected={value ?? undefined}
                  onSelect={choose}
                  whyDisabled={props.whyDisabled ?? withoutUsers}
                />
              </div>
            )}
          </QueryState>
        </Unfolded>
      )}
    </div>
  )
}
