// Dialogs that pick groups in the tree (spec S1 §9: 600 x 770): one, or several with checkboxes. The caller applies the
// choice and closes the dialog, which stays open until that succeeds.

import type { Group } from '@acc/contract/groups'
import { Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { DialogWindow } from '../../kit/dialogs/DialogWindow.tsx'
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
