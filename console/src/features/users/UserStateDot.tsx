// The state of an account as a colored dot with a label.
import { hasFlag } from '@acc/contract/labels/flags'
import { suspensionLabel, UserState, userStateLabel } from '@acc/contract/labels/users'
import type { User } from '@acc/contract/users'
import { StatusDot } from '../../kit/table/StatusDot.tsx'
import { useLanguage } from '../../kit/texts/texts.ts'

type Props = { user: Pick<User, 'state'> & { description?: User['description'] } }

export const isSuspended = ({ state }: Pick<User, 'state'>): boolean => hasFlag(state, UserState.DISABLED)

/** Without `description` the expiry and the reason of a suspension are ignored. */
export function UserStateDot({ user: { state, description } }: Props) {
  const language = useLanguage()
  const label = suspensionLabel(description) ?? userStateLabel(state, description?.expired === 1)
  return <StatusDot tone={label.tone}>{label[language]}</StatusDot>
}
