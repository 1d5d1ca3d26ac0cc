// Why a row of a user list cannot be checked, in the person's words.
import type { User } from '@acc/contract/users'
import { useGroupIndex } from '../../kit/groups.ts'
import { useTexts } from '../../kit/texts.ts'
import { useViewer } from '../../kit/viewer.ts'
import { pickersTexts } from './pickers.texts.ts'
import { lockOf } from './rights.ts'

export function useUserLock(): (user: Pick<User, 'idx' | 'role' | 'groupIdx'>) => string | undefined {
  const t = useTexts(pickersTexts)
  const { session, isAdmin } = useViewer()
  const { find } = useGroupIndex()
  return (user) => {
    const lock = lockOf(user, { idx: session.idx, isAdmin }, find(user.groupIdx))
    return lock && t(lock)
  }
}
