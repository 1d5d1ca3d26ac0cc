// Moves users to another group (spec S1 §5, §6). The target is not their current group, and the viewer may edit it.
import { api } from '@acc/contract'
import type { ApiError } from '@acc/contract/core/client'
import type { Group } from '@acc/contract/groups'
import { Level } from '@acc/contract/labels/access'
import type { User } from '@acc/contract/users'
import { errorText } from '../../kit/api/errorText.ts'
import { useApiAction } from '../../kit/api/query.ts'
import { showMessage } from '../../kit/dialogs/dialogs.tsx'
import { showToast } from '../../kit/dialogs/toast.tsx'
import { peopleNames } from '../../kit/texts/kit.texts.ts'
import { useTexts } from '../../kit/texts/texts.ts'
import { GroupPickerDialog, useGroupIndex } from '../groups/exports.ts'
import { usersTexts } from './users.ts'

type Props = {
  users: readonly Pick<User, 'idx' | 'id' | 'name' | 'groupIdx'>[]
  onClose: () => void
  /** Called where users or the group no longer exist or are out of reach. */
  onMissing?: (error: ApiError) => void
  /** Called after the users were moved. */
  onMoved: (group: Group) => void
}

export function MoveUsersDialog({ users, onClose, onMissing, onMoved }: Props) {
  const t = useTexts(usersTexts)
  const noticeGone = (error: ApiError) => void showMessage({ title: t('move'), body: errorText(error) })
  const leave = (error: ApiError) => {
    onClose()
    onMissing?.(error)
  }
  const handles = { NO_GROUP: noticeGone, ...(onMissing && { NOT_ALLOWED: leave }) }
  const action = useApiAction(api.users.move, { handles })
  const { chainOf } = useGroupIndex()
  const whyDisabled = (group: Group) => {
    if (group.maxUser < Level.EDIT) return t('pick.noEditRight')
    return users.every(({ groupIdx }) => groupIdx === group.idx) ? t('pick.sameGroup') : undefined
  }
  const ownerOf = (idx: number) => chainOf(idx).findLast(({ isMyPolicy }) => isMyPolicy === 1)
  const policyOf = (group: Group) => {
    const owner = ownerOf(group.idx)
    if (owner === undefined) return undefined
    const isSame = users.every(({ groupIdx }) => ownerOf(groupIdx)?.idx === owner.idx)
    return t(isSame ? 'pick.samePolicy' : 'pick.otherPolicy', { name: owner.name })
  }
  const move = async (group: Group) => {
    const answer = await action.run({ idxes: users.map(({ idx }) => idx), groupIdx: group.idx })
    if (answer === undefined) return
    showToast(t('pick.moved', { count: users.length, name: group.name }))
    onMoved(group)
  }
  return (
    <GroupPickerDialog
      title={t('pick.moveTitle', { count: users.length })}
      action={t('pick.move')}
      hint={t('pick.moving', { names: peopleNames(users) })}
      whyDisabled={whyDisabled}
      meaningOf={policyOf}
      isRunning={action.isRunning}
      onClose={onClose}
      onPick={(group) => void move(group)}
    />
  )
}
