// The edit mode of the list: users are checked, then moved or deleted (spec S1 §4).
import type { User } from '@acc/contract/users'
import { Button } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { ReasonedButton } from '../../kit/form/ReasonedButton.tsx'
import { guarded } from '../../kit/form/unsaved.ts'
import { kitTexts } from '../../kit/texts/kit.texts.ts'
import { useTexts } from '../../kit/texts/texts.ts'
import { flattenGroups, useGroupIndex, useGroupsWith } from '../groups/exports.ts'
import { MoveUsersDialog } from './MoveUsersDialog.tsx'
import css from './Users.module.css'
import { usersTexts } from './users.texts.ts'
import type { UsersProps } from './usersView.ts'
import { useRemoveUsers } from './useUserActions.ts'

type Props = UsersProps & {
  /** Undefined outside the edit mode. */
  checked: User[] | undefined
  onChange: (checked: User[] | undefined) => void
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

export function EditMode({ checked, onChange, view, setView, children }: Props) {
  const t = useTexts(usersTexts)
  const kit = useTexts(kitTexts)
  const isEmpty = useIsEmpty(view.groupIdx)
  const [isMoving, setMoving] = useState(false)
  const removal = useRemoveUsers((idxes) => {
    if (view.idx !== undefined && idxes.includes(view.idx)) setView({ idx: undefined })
    onChange([])
  })
  if (!checked)
    return (
      <>
        <ReasonedButton
          variant="default"
          whyDisabled={isEmpty ? kit('list.nothingToEdit') : undefined}
          onClick={() => onChange([])}
        >
          {t('edit')}
        </ReasonedButton>
        {children}
      </>
    )
  const whyDisabled = checked.length === 0 ? kit('list.noneSelected') : undefined
  return (
    <div className={css.editMode}>
      <span>{t('selected', { count: checked.length })}</span>
      <ReasonedButton variant="default" whyDisabled={whyDisabled} onClick={guarded(() => setMoving(true))}>
        {t('moveSelected')}
      </ReasonedButton>
      <ReasonedButton
        variant="default"
        c={whyDisabled === undefined ? 'var(--bad)' : undefined}
        isBusy={removal.isRunning}
        whyDisabled={whyDisabled}
        onClick={guarded(() => void removal.run(checked))}
      >
        {t('remove')}
      </ReasonedButton>
      <Button variant="default" onClick={() => onChange(undefined)}>
        {t('done')}
      </Button>
      {isMoving && (
        <MoveUsersDialog
          users={checked}
          onClose={() => setMoving(false)}
          onMoved={({ idx }) => {
            setMoving(false)
            onChange(undefined)
            setView({ groupIdx: idx }, { replace: true })
          }}
        />
      )}
    </div>
  )
}
