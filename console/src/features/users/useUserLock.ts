// Translated reason why a row of a user list cannot be checked.
import type { User } from '@acc/contract/users'
import { useViewer } from '../../kit/api/viewer.ts'
import { useTexts } from '../../kit/texts/texts.ts'
import { useGroupIndex } from '../groups/exports.ts'
import { lockOf, usersTexts } from './users.ts'

export function useUserLock(): (user: Pick<User, 'idx' | 'role' | 'groupIdx'>) => string | undefined {
  const t = useTexts(usersTexts)
  const { session, isAdmin } = useViewer()
  const { find } = useGroupIndex()
  return (user) => {
    const lock = lockOf(user, { idx: session.idx, isAdmin }, find(user.groupIdx))
    return lock && t(`pick.${lock}`)
  }
}
