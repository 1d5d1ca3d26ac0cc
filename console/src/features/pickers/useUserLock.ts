// Why a row of a user list cannot be checked, in the person's words.
import type { User } from '@acc/contract/users'
import { useViewer } from '../../kit/api/viewer.ts'
import { useTexts } from '../../kit/texts/texts.ts'
import { useGroupIndex } from '../../kit/tree/groups.ts'
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
