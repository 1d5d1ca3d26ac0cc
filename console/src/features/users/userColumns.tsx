// The columns of the list of users.
import type { api } from '@acc/contract'
import { Role } from '@acc/contract/labels/access'
import { hasFlag } from '@acc/contract/labels/flags'
import { formatDay } from '@acc/contract/labels/formats'
import { suspensionLabel, UserState, userStateLabel } from '@acc/contract/labels/users'
import type { User } from '@acc/contract/users'
import { VisuallyHidden } from '@mantine/core'
import { IconShieldCheck, IconUserCog } from '@tabler/icons-react'
import type { Column } from '../../kit/table/PagedTable.tsx'
import { StatusDot } from '../../kit/table/StatusDot.tsx'
import { type Translate, useLanguage, useTexts } from '../../kit/texts/texts.ts'
import type ko from './users.ko.json'
import { usersTexts } from './users.ts'

type Props = { user: Pick<User, 'state'> & { description?: User['description'] } }

export const isSuspended = ({ state }: Pick<User, 'state'>): boolean => hasFlag(state, UserState.DISABLED)

/** The state of an account. Without `description` the expiry and the reason of a suspension are ignored. */
export function UserStateDot({ user: { state, description } }: Props) {
  const language = useLanguage()
  const label = suspensionLabel(description) ?? userStateLabel(state, description?.expired === 1)
  return <StatusDot tone={label.tone}>{label[language]}</StatusDot>
}

/** The last day of an account. Screen readers read it after the state: "None" alone would sound like a negation. */
export function UserExpiry({ day }: { day: string | null }) {
  const t = useTexts(usersTexts)
  return (
    <>
      <VisuallyHidden>{t('expires')} </VisuallyHidden>
      {day === null ? t('never') : formatDay(day)}
    </>
  )
}

/** The sign of a role behind a name. */
const ROLE = { color: 'var(--accent)', verticalAlign: -2 }

type UserColumn = Column<typeof api.users.search>

const STATE_COLUMN: UserColumn = {
  key: 'state',
  // The longest state in English, "Suspended (password)", fits.
  width: 172,
  render: (user) => <UserStateDot user={user} />,
  below: {
    key: 'expireDT',
    render: ({ isMortal, expireDT }) => <UserExpiry day={isMortal === 1 ? expireDT : null} />,
  },
}

/** The window that shows the group and the email; on a telephone the account itself does. */
const NARROW = 600

const GROUP_COLUMN: UserColumn = { key: 'groupName', below: { key: 'email' } }

/** The columns of the dialog that picks users. */
export const PICK_COLUMNS: UserColumn[] = [
  { key: 'name', width: 120, below: { key: 'id' } },
  GROUP_COLUMN,
  STATE_COLUMN,
]

/** Columns about the use of the desktop client; hidden in narrow lists. */
const clientColumns = (t: Translate<typeof ko>): UserColumn[] => [
  {
    key: 'usingDevices',
    title: t('devices'),
    width: 52,
    align: 'right',
    // In narrower windows the complete email needs this width. The pane next to the list names the PCs.
    from: 1400,
    render: ({ usingDevices }) => (
      <span title={usingDevices.map(({ deviceName, ip }) => `${deviceName} · ${ip}`).join('\n')}>
        {usingDevices.length}
      </span>
    ),
  },
  { key: 'lastClientLoginDT', width: 160, from: 1200 },
]

export function useUserColumns(isEditing: boolean): UserColumn[] {
  const t = useTexts(usersTexts)
  return [
    STATE_COLUMN,
    {
      key: 'name',
      width: 140,
      render: ({ name, role }) =>
        role === Role.USER ? (
          name
        ) : (
          <>
            {name}{' '}
            {role === Role.ADMIN ? (
              <IconShieldCheck size={14} style={ROLE} role="img" aria-label={t('admin')} />
            ) : (
              <IconUserCog size={14} style={ROLE} role="img" aria-label={t('manager')} />
            )}
          </>
        ),
      below: { key: 'id' },
    },
    { ...GROUP_COLUMN, from: NARROW },
    ...(isEditing ? [] : clientColumns(t)),
  ]
}
