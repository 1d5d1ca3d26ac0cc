// The edit mode of the list: users are checked, then moved or deleted (spec S1 §4).
import type { ApiError } from '@acc/contract/core/client'
import type { User } from '@acc/contract/users'
import { type ReactNode, useState } from 'react'
import { dropMissing, type EditMode, EditModeAction, EditModeSwitch } from '../../kit/form/editMode.tsx'
import { guarded } from '../../kit/form/unsaved.ts'
import { useTexts } from '../../kit/texts/texts.ts'
import { flattenGroups, useGroupIndex, useGroupsWith } from '../groups/exports.ts'
import { MoveUsersDialog } from './MoveUsersDialog.tsx'
import css from './Users.module.css'
import { usersTexts } from './users.texts.ts'
import type { UsersProps } from './usersView.ts'
import { useRemoveUsers } from './useUserActions.ts'

type Props = UsersProps & {
  mode: EditMode<User>
  /** Content beside the button outside the edit mode. */
  children: ReactNode
}

/** Whether the visible groups, or the group that the list is filtered by, contain no user. */
function useIsEmpty(groupIdx: number | undefined): boolean {
  const { query, groups } = useGroupsWith('maxUser')
  const { find } = useGroupIndex()
  const chosen = groupIdx === undefined ? undefined : find(groupIdx)
  const rows = flattenGroups(chosen ? [chosen] : groups)
  return query.data !== undefined && rows.every(({ group }) => group.userCount === 0)
}

export function UsersEditMode({ mode, view, setView, children }: Props) {
  const t = useTexts(usersTexts)
  const isEmpty = useIsEmpty(view.groupIdx)
  const [isMoving, setMoving] = useState(false)
  const noticeMissing = (title: 'removeTitle' | 'moveSelected') => (error: ApiError) =>
    void dropMissing(mode, error, t(title, { count: mode.checked.length }))
  const removal = useRemoveUsers((idxes) => {
    if (view.idx !== undefined && idxes.includes(view.idx)) setView({ idx: undefined })
    mode.check([])
  }, noticeMissing('removeTitle'))
  return (
    <div className={css.editMode}>
      {mode.isOn && <span>{t('selected', { count: mode.checked.length })}</span>}
      <EditModeAction mode={mode} label={t('moveSelected')} onClick={guarded(() => setMoving(true))} />
      <EditModeAction
        mode={mode}
        label={t('remove')}
        isDanger
        isBusy={removal.isRunning}
        onClick={guarded(() => void removal.run(mode.checked))}
      />
      <EditModeSwitch mode={mode} label={t('edit')} isEmpty={isEmpty} />
      {!mode.isOn && children}
      {isMoving && (
        <MoveUsersDialog
          users={mode.checked}
          onClose={() => setMoving(false)}
          onMissing={noticeMissing('moveSelected')}
          onMoved={({ idx }) => {
            setMoving(false)
            mode.turn(false)
            setView({ groupIdx: idx, groups: [] }, { replace: true })
          }}
        />
      )}
    </div>
  )
}
