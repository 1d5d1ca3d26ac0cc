// The middle pane on the axis of authorities: who holds the authority; add, edit (checkboxes) and remove (S2 section 2.1).
import { Role } from '@acc/contract/core/access'
import type { User } from '@acc/contract/users'
import { Button, Tooltip } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { Empty } from '../../kit/layout/QueryState.tsx'
import { kitTexts } from '../../kit/texts/kit.texts.ts'
import { useTexts } from '../../kit/texts/texts.ts'
import { UserPickerDialog } from '../users/exports.ts'
import { type Admin, AdminTable } from './AdminTable.tsx'
import css from './Authorities.module.css'
import { authoritiesTexts } from './authorities.texts.ts'

type Props = {
  admins: readonly Admin[]
  /** Answers whether it was done; the dialog stays open where it was not. */
  onAdd: (users: User[]) => Promise<boolean> | boolean
  onRemove: (admins: Admin[]) => Promise<boolean> | boolean
  /** Asks about unsaved changes before the holders of a kept authority change. */
  guard?: (action: () => void) => () => void
  isRunning?: boolean
  /** What is wrong with the choice. */
  error?: ReactNode
  emptyHint: string
}

const unguarded = (action: () => void) => action

function RemoveButton({ count, isRunning, onClick }: { count: number; isRunning: boolean; onClick: () => void }) {
  const kit = useTexts(kitTexts)
  const isOff = count === 0
  return (
    <Tooltip label={kit('list.noneSelected')} disabled={!isOff}>
      <Button
        variant="default"
        c={isOff ? undefined : 'var(--bad)'}
        loading={isRunning}
        data-disabled={isOff || undefined}
        aria-disabled={isOff}
        onClick={() => !isOff && onClick()}
      >
        {kit('remove')}
      </Button>
    </Tooltip>
  )
}

export function AdminsPane(props: Props) {
  const { admins, onAdd, onRemove, guard = unguarded, isRunning = false, error, emptyHint } = props
  const t = useTexts(authoritiesTexts)
  const kit = useTexts(kitTexts)
  const [isAdding, setAdding] = useState(false)
  const [isEditing, setEditing] = useState(false)
  const [checked, setChecked] = useState<Admin[]>([])
  const known = new Set(admins.map(({ idx }) => idx))
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
          {t('admins')} <span>{isEditing ? kit('list.selected', { count: chosen.length }) : admins.length}</span>
        </h2>
        {isEditing ? (
          <>
            <RemoveButton count={chosen.length} isRunning={isRunning} onClick={() => void remove()} />
            <Button variant="default" onClick={() => edit(false)}>
              {kit('done')}
            </Button>
          </>
        ) : (
          <>
            <Tooltip label={kit('list.nothingToEdit')} disabled={admins.length > 0}>
              <Button
                variant="subtle"
                color="gray"
                data-disabled={admins.length === 0 || undefined}
                aria-disabled={admins.length === 0}
                onClick={guard(() => admins.length > 0 && edit(true))}
              >
                {t('edit')}
              </Button>
            </Tooltip>
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
      {admins.length === 0 ? (
        <Empty title={t('noAdmins')} hint={emptyHint} />
      ) : (
        <AdminTable admins={admins} isEditing={isEditing} checked={chosen} onCheck={setChecked} />
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
