// The middle pane on the axis of authorities: adds, edits (checkboxes) and removes the members (spec S2 §2.1).
import { Role } from '@acc/contract/labels/access'
import type { User } from '@acc/contract/users'
import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { EditModeAction, EditModeSwitch, useEditMode } from '../../kit/form/editMode.tsx'
import { Empty } from '../../kit/layout/QueryState.tsx'
import { kitTexts, useNameOf } from '../../kit/texts/kit.texts.ts'
import { useTexts } from '../../kit/texts/texts.ts'
import { UserPickerDialog } from '../users/exports.ts'
import css from './Authorities.module.css'
import { authoritiesTexts } from './authorities.ts'
import { type Member, MemberTable } from './MemberTable.tsx'

type Props = {
  members: readonly Member[]
  /** Returns whether it succeeded; otherwise the dialog stays open. */
  onAdd: (users: User[]) => Promise<boolean> | boolean
  onRemove: (members: readonly Member[]) => Promise<boolean> | boolean
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
  const nameOf = useNameOf(t('admins'))
  const [isAdding, setAdding] = useState(false)
  const mode = useEditMode(members)
  const known = new Set(members.map(({ idx }) => idx))
  const remove = async () => (await onRemove(mode.checked)) && mode.turn(false)
  const add = async (users: User[]) => (await onAdd(users)) && setAdding(false)
  const whyLocked = (user: User) => {
    if (user.role === Role.ADMIN) return t('adminLocked')
    return known.has(user.idx) ? t('userAdded') : undefined
  }
  return (
    <section className="fill" aria-label={t('admins')}>
      <div className={css.middleHead}>
        <h2>
          {t('admins')}{' '}
          <span>{mode.isOn ? kit('list.selectedPeople', { count: mode.checked.length }) : members.length}</span>
        </h2>
        <EditModeAction
          mode={mode}
          label={t('exclude')}
          subject={t('admins')}
          isDanger
          isBusy={isRunning}
          onClick={() => void remove()}
        />
        <EditModeSwitch
          variant="subtle"
          color="gray"
          mode={mode}
          label={t('edit')}
          subject={t('admins')}
          isEmpty={members.length === 0}
          guard={guard}
        />
        {!mode.isOn && (
          <Button
            variant="default"
            leftSection={<IconPlus size={14} />}
            aria-label={nameOf(kit('add'))}
            onClick={guard(() => setAdding(true))}
          >
            {kit('add')}
          </Button>
        )}
      </div>
      {error && (
        <p className={`${css.error} ${css.membersError}`} role="alert">
          {error}
        </p>
      )}
      {members.length === 0 ? (
        <Empty title={t('noAdmins')} hint={emptyHint} />
      ) : (
        <MemberTable members={members} mode={mode} />
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
