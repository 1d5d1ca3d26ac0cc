// Picking groups in the tree: dialogs (spec S1 §9: 600 x 770) for one or, with checkboxes, for several, and the button
// that says which groups a screen shows (spec S2 §6). The caller applies the choice and closes the dialog, which stays
// open until that succeeds.
import { MAX_CHOSEN_GROUPS } from '@acc/contract/core/fields'
import type { Group } from '@acc/contract/groups'
import { Box, Button, CloseButton, Group as Line, Text } from '@mantine/core'
import { IconSitemap } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { DialogWindow } from '../../kit/dialogs/DialogWindow.tsx'
import { showMessage } from '../../kit/dialogs/dialogs.tsx'
import { PickerFoot } from '../../kit/form/Picker.tsx'
import { PathText } from '../../kit/layout/FileName.tsx'
import { Hint } from '../../kit/layout/Page.tsx'
import { Empty, QueryState } from '../../kit/layout/QueryState.tsx'
import { useTexts } from '../../kit/texts/texts.ts'
import css from './Groups.module.css'
import { GroupTree } from './GroupTree.tsx'
import { groupsTexts, useAuthGroups, useGroupIndex } from './groups.ts'

type Common = {
  title: string
  /** Label of the primary button, such as "Move". */
  action: string
  hint?: string
  /** Returns why a group cannot be chosen; undefined if it can. */
  whyDisabled?: (group: Group) => string | undefined
  isRunning?: boolean
  onClose: () => void
}
type One = Common & {
  onPick: (group: Group) => void
  /** What the chosen group means, below the tree. */
  meaningOf?: (group: Group) => string | undefined
}
type Several = Common & {
  /** The groups checked initially; those that the viewer cannot see stay in the result. */
  initial: readonly number[]
  /** Groups that were picked before: checked, and not to be changed here. */
  taken?: readonly number[]
  onPick: (idxes: number[]) => void
}

type FrameProps = Common & {
  chosen: ReactNode
  whyNot: string | undefined
  onAction: () => void
  meaning?: string | undefined
  tree: (groups: readonly Group[]) => ReactNode
}

function Frame({ tree, hint, meaning, whyNot, isRunning = false, onClose, ...foot }: FrameProps) {
  const t = useTexts(groupsTexts)
  const groups = useAuthGroups()
  return (
    <DialogWindow
      onClose={() => !isRunning && onClose()}
      title={foot.title}
      size={600}
      classNames={{ content: css.tall, body: 'fill' }}
    >
      {hint !== undefined && <Hint>{hint}</Hint>}
      <div className={css.tree}>
        <QueryState of={groups}>
          {(data) => (data.groups.length === 0 ? <Empty title={t('pick.noGroups')} /> : tree(data.groups))}
        </QueryState>
      </div>
      {meaning !== undefined && (
        <Text size="sm" c="var(--ink-2)" mt={10}>
          {meaning}
        </Text>
      )}
      <PickerFoot
        chosen={foot.chosen}
        action={foot.action}
        whyDisabled={whyNot}
        isRunning={isRunning}
        onClose={onClose}
        onAction={foot.onAction}
      />
    </DialogWindow>
  )
}

/** Picks one group. Render it while it is open. */
export function GroupPickerDialog({ onPick, meaningOf, ...common }: One) {
  const t = useTexts(groupsTexts)
  const { pathOf } = useGroupIndex()
  const [group, setGroup] = useState<Group>()
  return (
    <Frame
      {...common}
      chosen={group ? <PathText path={pathOf(group.idx).join(' › ')} /> : t('pick.chooseGroup')}
      whyNot={group ? undefined : t('pick.chooseGroup')}
      onAction={() => group && onPick(group)}
      meaning={group && meaningOf?.(group)}
      tree={(groups) => (
        <GroupTree groups={groups} selected={group?.idx} onSelect={setGroup} whyDisabled={common.whyDisabled} />
      )}
    />
  )
}

const isSame = (one: readonly number[], other: ReadonlySet<number>) =>
  one.length === other.size && one.every((idx) => other.has(idx))

/** Picks any number of groups. Render it while it is open. */
export function GroupsPickerDialog({ initial, taken = [], onPick, ...common }: Several) {
  const t = useTexts(groupsTexts)
  const [checked, setChecked] = useState<ReadonlySet<number>>(new Set(initial))
  const check = ({ idx }: Group, isChecked: boolean) =>
    setChecked((now) => new Set(isChecked ? [...now, idx] : [...now].filter((one) => one !== idx)))
  return (
    <Frame
      {...common}
      chosen={t('pick.chosenGroups', { count: checked.size })}
      whyNot={isSame(initial, checked) ? t('pick.unchanged') : undefined}
      onAction={() => onPick([...checked])}
      tree={(groups) => (
        <GroupTree
          groups={groups}
          checked={new Set([...taken, ...checked])}
          onCheck={check}
          whyDisabled={common.whyDisabled}
        />
      )}
    />
  )
}

/** Returns how a choice of groups is called: the name of a single one, otherwise their number. */
export function useChosenName(): (groups: readonly number[]) => string {
  const t = useTexts(groupsTexts)
  const { find } = useGroupIndex()
  return (groups) => {
    const [first] = groups
    const one = groups.length === 1 && first !== undefined ? find(first)?.name : undefined
    return groups.length === 0 ? t('allGroups') : (one ?? t('someGroups', { count: groups.length }))
  }
}

type Props = {
  value: readonly number[]
  onChange: (groups: number[]) => void
  /** What a choice does, said in the dialog. */
  hint: string
}

/** All groups by default, or several from the tree, each with its subgroups. */
export function GroupSelector({ value, onChange, hint }: Props) {
  const t = useTexts(groupsTexts)
  const [isOpen, setOpen] = useState(false)
  const name = useChosenName()(value)
  const pick = (groups: number[]) => {
    if (groups.length > MAX_CHOSEN_GROUPS) {
      void showMessage({ title: t('tooManyGroups'), body: t('tooManyGroupsHint', { max: MAX_CHOSEN_GROUPS }) })
      return
    }
    onChange(groups)
    setOpen(false)
  }
  return (
    <Line gap={2} wrap="nowrap">
      <Button
        variant="default"
        leftSection={<IconSitemap size={14} />}
        aria-label={t('chosenGroups', { name })}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        <Box component="span" className="cut" maw={240} lh={1.5}>
          {name}
        </Box>
      </Button>
      {value.length > 0 && <CloseButton size="sm" aria-label={t('clearGroups')} onClick={() => onChange([])} />}
      {isOpen && (
        <GroupsPickerDialog
          title={t('chooseGroups')}
          hint={hint}
          action={t('apply')}
          initial={value}
          onClose={() => setOpen(false)}
          onPick={pick}
        />
      )}
    </Line>
  )
}
