// A user's open sessions; each can be ended.
import { api } from '@acc/contract'
import type { UserDetail } from '@acc/contract/users'
import { useApiAction } from '../../kit/api/query.ts'
import { guarded } from '../../kit/form/unsaved.ts'
import { Section } from '../../kit/layout/Page.tsx'
import { useTexts } from '../../kit/texts/texts.ts'
import { SessionList } from '../sessions/exports.ts'
import { usersTexts } from './users.texts.ts'

export function UserSessions({ user }: { user: UserDetail }) {
  const t = useTexts(usersTexts)
  const action = useApiAction(api.users.endSession, { done: t('endDone') })
  const { sessions } = user
  return (
    <Section title={sessions.length === 0 ? t('sessionsTitle') : t('sessions', { count: sessions.length })}>
      <SessionList
        sessions={sessions}
        owner={user.name}
        guard={guarded}
        onEnd={user.isEditable === 1 ? ({ idx }) => action.run({ idx: user.idx, sessionIdx: idx }) : undefined}
      />
    </Section>
  )
}
