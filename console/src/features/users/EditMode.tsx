// The edit mode of the list: users are checked, then moved or deleted (S1 section 4).
import type { User } from '@acc/contract/users'
import { Button, Tooltip } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { guarded } from '../../kit/form/unsaved.ts'
import { useTexts } from '../../kit/texts/texts.ts'
import { MoveUsersDialog } from './MoveUsersDialog.tsx'
import css from './Users.module.css'
import { usersTexts } from './users.texts.ts'
import type { UsersProps } from './usersView.ts'
import { useRemoveUsers } from './useUserActions.ts'

type Props = UsersProps & {
  /** Undefined outside the edit mode. */
  checked: User[] | undefined
  onChange: (checked: User[] | undefined) => void
  /** What stands beside the button outside the edit mode. */
  children: ReactNode
}

type ActProps = { checked: User[]; isDanger?: boolean; isRunning?: boolean; onClick: () => void; children: ReactNode }

/** A button that needs somebody to be checked. */
function Act({ checked, isDanger, isRunning = false, onClick, children }: ActProps) {
  const t = useTexts(usersTexts)
  const isIdle = checked.length === 0
  return (
    <Tooltip label={t('noneSelected')} disabled={!isIdle}>
      <Button
        variant="default"
        c={isDanger && !isIdle ? 'var(--bad)' : undefined}
        loading={isRunning}
        data-disabled={isIdle || undefined}
        aria-disabled={isIdle}
        onClick={guarded(() => !isIdle && onClick())}
      >
        {children}
      </Button>
    </Tooltip>
  )
}

export function EditMode({ checked, onChange, view, setView, children }: Props) {
  const t = useTexts(usersTexts)
  const [isMoving, setMoving] = useState(false)
  const removal = useRemoveUsers((idxes) => {
    if (view.idx !== undefined && idxes.includes(view.idx)) setView({ idx: undefined })
    onChange([])
  })
  if (!checked)
    return (
      <>
        <Button variant="default" onClick={() => onChange([])}>
          {t('edit')}
        </Button>
        {children}
      </>
    )
  return (
    <div className={css.editMode}>
      <span>{t('selected', { count: checked.length })}</span>
      <Act checked={checked} onClick={() => setMoving(true)}>
        {t('moveSelected')}
      </Act>
      <Act checked={checked} isDanger isRunning={removal.isRunning} onClick={() => void removal.run(checked)}>
        {t('remove')}
      </Act>
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
