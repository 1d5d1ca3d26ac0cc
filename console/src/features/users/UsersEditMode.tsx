// The edit mode of the list: moves, suspends, releases, deletes or sets a last day for checked users (spec S1 §4).
import { api } from '@acc/contract'
import type { ApiError } from '@acc/contract/core/client'
import type { User } from '@acc/contract/users'
import { Group } from '@mantine/core'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useApiAction } from '../../kit/api/query.ts'
import { CheckedPeople, dropMissing, type EditMode, EditModeAction, EditModeSwitch } from '../../kit/form/editMode.tsx'
import { FormDialog } from '../../kit/form/FormDialog.tsx'
import { guarded } from '../../kit/form/unsaved.ts'
import { Hint } from '../../kit/layout/Page.tsx'
import { peopleNames } from '../../kit/texts/kit.texts.ts'
import { useTexts } from '../../kit/texts/texts.ts'
import { flattenGroups, useGroupIndex, useGroupsWith } from '../groups/exports.ts'
import { ExpiryField, useExpiryCheck } from './ExpiryField.tsx'
import { MoveUsersDialog } from './MoveUsersDialog.tsx'
import { type UsersProps, usersTexts } from './users.ts'
import { usePreventedBy, useRemoveUsers, useSuspendMany } from './useUserActions.ts'

type ExpiryDialogProps = {
  users: readonly Pick<User, 'idx' | 'id' | 'name'>[]
  onClose: () => void
  onDone: () => void
  /** Called where some of the users are gone. */
  onMissing: (error: ApiError) => void
}

/** The last day of several users at once: all of them or none. Render it while it is open. */
function ExpiryDialog({ users, onClose, onDone, onMissing }: ExpiryDialogProps) {
  const t = useTexts(usersTexts)
  const count = users.length
  const title = t('atOnce.expiryTitle', { count })
  const [value, setValue] = useState<{ isMortal: 0 | 1; expireDT: string | null }>({ isMortal: 0, expireDT: null })
  const [error, setError] = useState<string>()
  const check = useExpiryCheck()
  const explain = usePreventedBy(title, users, onMissing)
  const action = useApiAction(api.users.setExpiry, {
    done: t('atOnce.expiryDone', { count }),
    handles: { SELF_ACTION: explain, ADMIN_SELECTED: explain, NOT_ALLOWED: explain },
  })
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const fault = check(value).expireDT
    setError(fault)
    if (fault !== undefined) return
    if ((await action.run({ idxes: users.map(({ idx }) => idx), ...value })) !== undefined) onDone()
  }
  const form = { submit: (event: FormEvent) => void submit(event), isSaving: action.isRunning }
  return (
    <FormDialog title={title} action={t('atOnce.apply')} form={form} onClose={onClose} isNew>
      <Hint>{t('atOnce.expiryOf', { names: peopleNames(users) })}</Hint>
      <ExpiryField value={value} error={error} onChange={setValue} />
    </FormDialog>
  )
}

type Props = UsersProps & {
  mode: EditMode<User>
  /** Content next to the button outside the edit mode. */
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
  const [dialog, setDialog] = useState<'move' | 'expiry'>()
  const noticeMissing = (title: 'removeTitle' | 'moveSelected' | 'edit') => (error: ApiError) =>
    void dropMissing(mode, error, t(title, { count: mode.checked.length }))
  const states = useSuspendMany(mode.checked, () => mode.check([]), noticeMissing('edit'))
  const removal = useRemoveUsers((idxes) => {
    if (view.idx !== undefined && idxes.includes(view.idx)) setView({ idx: undefined })
    mode.check([])
  }, noticeMissing('removeTitle'))
  return (
    <Group gap={8} justify="flex-end" c="var(--ink-2)" fz="var(--fs-s)">
      <CheckedPeople mode={mode} />
      <EditModeAction mode={mode} label={t('moveSelected')} onClick={guarded(() => setDialog('move'))} />
      <EditModeAction mode={mode} label={t('atOnce.expiry')} onClick={guarded(() => setDialog('expiry'))} />
      <EditModeAction
        mode={mode}
        label={t('suspend')}
        isBusy={states.isRunning}
        onClick={guarded(() => void states.suspend())}
      />
      <EditModeAction
        mode={mode}
        label={t('release')}
        isBusy={states.isRunning}
        onClick={guarded(() => void states.release())}
      />
      <EditModeAction
        mode={mode}
        label={t('remove')}
        isDanger
        isBusy={removal.isRunning}
        onClick={guarded(() => void removal.run(mode.checked))}
      />
      <EditModeSwitch mode={mode} label={t('edit')} isEmpty={isEmpty} />
      {!mode.isOn && children}
      {dialog === 'expiry' && (
        <ExpiryDialog
          users={mode.checked}
          onClose={() => setDialog(undefined)}
          onMissing={noticeMissing('edit')}
          onDone={() => {
            setDialog(undefined)
            mode.check([])
          }}
        />
      )}
      {dialog === 'move' && (
        <MoveUsersDialog
          users={mode.checked}
          onClose={() => setDialog(undefined)}
          onMissing={noticeMissing('moveSelected')}
          onMoved={({ idx }) => {
            setDialog(undefined)
            mode.turn(false)
            setView({ groupIdx: idx, groups: [] }, { replace: true })
          }}
        />
      )}
    </Group>
  )
}
