// Open sessions of one person: the viewer (OwnSessionsDialog.tsx) or another user (features/users).

import { formatMoment } from '@acc/contract/labels/formats'
import type { OpenSession } from '@acc/contract/session'
import { IconDeviceDesktop, IconWorld } from '@tabler/icons-react'
import { useState } from 'react'
import { confirm } from '../../kit/dialogs/dialogs.tsx'
import { ReasonedButton } from '../../kit/form/ReasonedButton.tsx'
import { Hint } from '../../kit/layout/Page.tsx'
import { useTexts } from '../../kit/texts/texts.ts'
import css from './Sessions.module.css'
import { browserName, sessionsTexts } from './sessions.ts'

type Props = {
  sessions: readonly OpenSession[]
  /** The name of the owner; absent for the viewer's own sessions. */
  owner?: string
  /** Ends a session after confirmation; without it the list is read-only. */
  onEnd?: (session: OpenSession) => Promise<unknown>
  /** Wraps the click on *End*; use `guarded` if unsaved changes may be lost. */
  guard?: (action: () => void) => () => void
}

export function SessionList({ sessions, ...props }: Props) {
  const t = useTexts(sessionsTexts)
  if (sessions.length === 0) return <Hint>{t('empty')}</Hint>
  return (
    <ul className={css.sessions}>
      {sessions.map((session) => (
        <SessionRow key={session.idx} session={session} {...props} />
      ))}
    </ul>
  )
}

function SessionRow({ session, onEnd, ...props }: Omit<Props, 'sessions'> & { session: OpenSession }) {
  const t = useTexts(sessionsTexts)
  const { kind, ip, userAgent, deviceName, loginDT, lastSeenDT, isCurrent } = session
  const Icon = kind === 'web' ? IconWorld : IconDeviceDesktop
  const place = deviceName ?? browserName(userAgent) ?? t('unknown')
  const description = `${t(kind)} · ${place}`
  return (
    <li>
      <Icon size={16} stroke={1.6} aria-hidden />
      <div className={css.session}>
        <span title={userAgent}>{description}</span>
        <small>{ip}</small>
        <small>{t('signedIn', { time: formatMoment(loginDT) })}</small>
        <small>{t('lastSeen', { time: formatMoment(lastSeenDT) })}</small>
      </div>
      {isCurrent === 1 && <small>{t('current')}</small>}
      {isCurrent === 0 && onEnd !== undefined && (
        <EndButton description={description} onEnd={() => onEnd(session)} {...props} />
      )}
    </li>
  )
}

type EndProps = { description: string; onEnd: () => Promise<unknown> } & Pick<Props, 'owner' | 'guard'>

function EndButton({ description, onEnd, owner, guard = (action) => action }: EndProps) {
  const t = useTexts(sessionsTexts)
  const [isBusy, setBusy] = useState(false)
  const end = async () => {
    const body =
      owner === undefined
        ? t('endBody', { session: description })
        : t('endBodyOf', { session: description, name: owner })
    if (!(await confirm({ title: t('endTitle'), body, action: t('end'), isDanger: true }))) return
    setBusy(true)
    await onEnd()
    setBusy(false)
  }
  return (
    <ReasonedButton
      size="compact-xs"
      variant="default"
      aria-label={t('endOf', { session: description })}
      isBusy={isBusy}
      onClick={guard(() => void end())}
    >
      {t('end')}
    </ReasonedButton>
  )
}
