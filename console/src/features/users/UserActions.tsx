// Actions on an account besides editing it (spec S1 §6); none on one's own account or a system administrator's.
import { Role } from '@acc/contract/labels/access'
import type { UserDetail } from '@acc/contract/users'
import { ActionIcon, Button, Group, Menu } from '@mantine/core'
import { IconDots, IconFolderSymlink, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useViewer } from '../../kit/api/viewer.ts'
import { ReasonedButton } from '../../kit/form/ReasonedButton.tsx'
import { guarded } from '../../kit/form/unsaved.ts'
import { Hint } from '../../kit/layout/Page.tsx'
import { useTexts } from '../../kit/texts/texts.ts'
import { AbsenceDialog, absencesTexts } from '../absences/exports.ts'
import { useGroupIndex } from '../groups/exports.ts'
import { MoveUsersDialog } from './MoveUsersDialog.tsx'
import { isSuspended } from './userColumns.tsx'
import { lockOf, type UsersProps, usersTexts } from './users.ts'
import { useRemoveUsers, useResetOtp, useResetPw, useSuspend } from './useUserActions.ts'

type Props = { user: UserDetail; setView: UsersProps['setView'] }

/** Why there are no buttons. */
const HINTS = { self: 'ownAccount', admin: 'adminAccount', manager: 'viewOnly', noEditRight: 'viewOnly' } as const

function More({ user, setView }: Props) {
  const t = useTexts(usersTexts)
  const [isMoving, setMoving] = useState(false)
  const removal = useRemoveUsers(() => setView({ idx: undefined }))
  const moved = ({ idx }: { idx: number }) => {
    setMoving(false)
    setView({ groupIdx: idx, groups: [] }, { replace: true })
  }
  return (
    <>
      <Menu position="bottom-end" width={190} withInitialFocusPlaceholder={false}>
        <Menu.Target>
          <ActionIcon variant="default" size={32} aria-label={t('more')} aria-busy={removal.isRunning || undefined}>
            <IconDots size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconFolderSymlink size={14} />} onClick={guarded(() => setMoving(true))}>
            {t('move')}
          </Menu.Item>
          <Menu.Item
            c="var(--bad)"
            leftSection={<IconTrash size={14} />}
            onClick={guarded(() => void (removal.isRunning || removal.run([user])))}
          >
            {t('remove')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {isMoving && <MoveUsersDialog users={[user]} onClose={() => setMoving(false)} onMoved={moved} />}
    </>
  )
}

function ResetOtp({ user }: { user: UserDetail }) {
  const t = useTexts(usersTexts)
  const reset = useResetOtp(user)
  const why = isSuspended(user) ? t('resetOtpSuspended') : t('resetOtpNone')
  return (
    <ReasonedButton
      variant="default"
      isBusy={reset.isRunning}
      whyDisabled={isSuspended(user) || user.isOtpRegistered === 0 ? why : undefined}
      onClick={guarded(() => void reset.run())}
    >
      {t('resetOtp')}
    </ReasonedButton>
  )
}

/** Administrators set the absence of approvers who cannot do it themselves. */
function AbsenceButton({ user }: { user: UserDetail }) {
  const t = useTexts(absencesTexts)
  const { isAdmin } = useViewer()
  const [isOpen, setOpen] = useState(false)
  if (!isAdmin || user.role === Role.USER) return null
  return (
    <>
      <Button variant="default" onClick={guarded(() => setOpen(true))}>
        {t('title')}
      </Button>
      {isOpen && <AbsenceDialog person={user} onClose={() => setOpen(false)} />}
    </>
  )
}

/** A lost authenticator of a system administrator and an absence are what another one sets. */
function AdminActions({ user }: { user: UserDetail }) {
  const t = useTexts(usersTexts)
  return (
    <>
      <Hint>{t('adminAccount')}</Hint>
      <Group gap={8} mb={16}>
        <ResetOtp user={user} />
        <AbsenceButton user={user} />
      </Group>
    </>
  )
}

export function UserActions({ user, setView }: Props) {
  const t = useTexts(usersTexts)
  const { session, isAdmin } = useViewer()
  const { find } = useGroupIndex()
  const { isRunning, suspend, release } = useSuspend(user)
  const reset = useResetPw(user)
  const lock = lockOf(user, { idx: session.idx, isAdmin }, find(user.groupIdx))
  if (lock === 'admin' && isAdmin) return <AdminActions user={user} />
  if (lock) return <Hint>{t(HINTS[lock])}</Hint>
  const suspended = isSuspended(user)
  return (
    <Group gap={8} mb={16}>
      <ReasonedButton
        variant="default"
        data-focus="suspension"
        isBusy={isRunning}
        onClick={guarded(() => void (suspended ? release() : suspend()))}
      >
        {suspended ? t('release') : t('suspend')}
      </ReasonedButton>
      <ReasonedButton
        variant="default"
        isBusy={reset.isRunning}
        whyDisabled={suspended ? t('resetPwSuspended') : undefined}
        onClick={guarded(() => void reset.run())}
      >
        {t('resetPw')}
      </ReasonedButton>
      <ResetOtp user={user} />
      <AbsenceButton user={user} />
      <More user={user} setView={setView} />
    </Group>
  )
}
