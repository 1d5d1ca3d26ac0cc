// The middle pane on the axis of authorities: the members of the authority; add, edit (checkboxes) and remove (spec S2 §2.1).
import { Role } from '@acc/contract/labels/access'
import type { User } from '@acc/contract/users'
import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { ReasonedButton } from '../../kit/form/ReasonedButton.tsx'
import { Empty } from '../../kit/layout/QueryState.tsx'
import { kitTexts } from '../../kit/texts/kit.texts.ts'
import { useTexts } from '../../kit/texts/texts.ts'
import { UserPickerDialog } from '../users/exports.ts'
import css from './Authorities.module.css'
import { authoritiesTexts } from './authorities.texts.ts'
import { type Member, MemberTable } from './MemberTable.tsx'

type Props = {
  members: readonly Member[]
  /** Returns whether it succeeded; otherwise the dialog stays open. */
  onAdd: (users: User[]) => Promise<boolean> | boolean
  onRemove: (members: Member[]) => Promise<boolean> | boolean
  /** Asks about unsaved changes before the members of a stored authority change. */
  guard?: (action: () => void) => () => void
  isRunning?: boolean
  /** Validation error of the members. */
  error?: ReactNode
  emptyHint: string
}

const unguarded = (action: () => void) => action

export function MembersPane(props: Props) {
  const { members, onAdd, onRemove, guard = unguarded, isRunning = false, error, emptyHint } = props
  const t = useTexts(authoritiesTexts)
  const kit = useTexts(kitTexts)
  const [isAdding, setAdding] = useState(false)
  const [isEditing, setEditing] = useState(false)
  const [checked, setChecked] = useState<Member[]>([])
  const known = new Set(members.map(({ idx }) => idx))
  const chosen = checked.filter(({ idx }) => known.has(idx))
  const edit = (on: boolean) => {
    setChecked([])
    setEditing(on)
  }
  const remove = async () => (await onRemove(chosen)) && edit(false)
  const add = async (users: User[]) => (await onAdd(users)) && setAdding(false)
  const whyLocked = (user: User) => {
    if (user.role === Role.ADMIN) return t('adminLocked')
    return known.has(user.idx) ? t('userAdded') : undefined
  }
  return (
    <section className={css.middle} aria-label={t('admins')}>
      <div className={css.middleHead}>
        <h2>
          {t('admins')} <span>{isEditing ? kit('list.selected', { count: chosen.length }) : members.length}</span>
        </h2>
        {isEditing ? (
          <>
            <ReasonedButton
              variant="default"
              c={chosen.length === 0 ? undefined : 'var(--bad)'}
              isBusy={isRunning}
              whyDisabled={chosen.length === 0 ? kit('list.noneSelected') : undefined}
              onClick={() => void remove()}
            >
              {t('exclude')}
            </ReasonedButton>
            <Button variant="default" onClick={() => edit(false)}>
              {kit('done')}
            </Button>
          </>
        ) : (
          <>
            <ReasonedButton
              variant="subtle"
              color="gray"
              whyDisabled={members.length === 0 ? kit('list.nothingToEdit') : undefined}
              onClick={guard(() => edit(true))}
            >
              {t('edit')}
            </ReasonedButton>
            <Button variant="default" leftSection={<IconPlus size={14} />} onClick={guard(() => setAdding(true))}>
              {kit('add')}
            </Button>
          </>
        )}
      </div>
      {error && (
        <p className={css.error} role="alert">
          {error}
        </p>
      )}
      {members.length === 0 ? (
        <Empty title={t('noAdmins')} hint={emptyHint} />
      ) : (
        <MemberTable members={members} isEditing={isEditing} checked={chosen} onCheck={setChecked} />
      )}
      {isAdding && (
        <UserPickerDialog
          title={t('addAdmins')}
          action={kit('add')}
          whyLocked={whyLocked}
          isRunning={isRunning}
          onClose={() => setAdding(false)}
          onPick={(users) => void add(users)}
        />
      )}
    </section>
  )
}
