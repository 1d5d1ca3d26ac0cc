// Open sessions of one person: the viewer, in a dialog, or another user (features/users).
import { formatMoment } from '@acc/contract/labels/formats'
import { type OpenSession, session as routes } from '@acc/contract/session'
import { Text } from '@mantine/core'
import { IconDeviceDesktop, IconWorld } from '@tabler/icons-react'
import { QueryClientProvider } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { queryClient, useApiAction, useApiQuery } from '../../kit/api/query.ts'
import { DialogWindow } from '../../kit/dialogs/DialogWindow.tsx'
import { confirm } from '../../kit/dialogs/dialogs.tsx'
import { ReasonedButton } from '../../kit/form/ReasonedButton.tsx'
import { Hint } from '../../kit/layout/Page.tsx'
import { QueryState } from '../../kit/layout/QueryState.tsx'
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

function EndOthers({ count, onDone }: { count: number; onDone: () => void }) {
  const t = useTexts(sessionsTexts)
  const action = useApiAction(routes.endOthers, { onDone })
  const end = async () => {
    const ask = { title: t('endOthers'), body: t('endOthersBody', { count }), action: t('end'), isDanger: true }
    if (await confirm(ask)) await action.run({})
  }
  return (
    <ReasonedButton mt={12} variant="default" fullWidth isBusy={action.isRunning} onClick={() => void end()}>
      {t('endOthers')}
    </ReasonedButton>
  )
}

function OwnSessions() {
  const t = useTexts(sessionsTexts)
  const query = useApiQuery(routes.search, {})
  const [message, setMessage] = useState('')
  // The next person who signs in with this browser must not see them.
  useEffect(() => () => queryClient.removeQueries({ queryKey: [routes.search.path] }), [])
  const noteEnd = () => setMessage(t('ended'))
  // One that has already ended (980) counts as ended.
  const action = useApiAction(routes.end, { onDone: noteEnd, handles: { NOT_ALLOWED: noteEnd } })
  return (
    <>
      <Hint>{t('hint')}</Hint>
      <div role="status">
        {message !== '' && (
          <Text className="notice" data-tone="ok" mb={12}>
            {message}
          </Text>
        )}
      </div>
      <QueryState of={query}>
        {({ sessions }) => (
          <>
            <SessionList sessions={sessions} onEnd={({ idx }) => action.run({ idx })} />
            {sessions.length > 2 && (
              <EndOthers count={sessions.length - 1} onDone={() => setMessage(t('othersEnded'))} />
            )}
          </>
        )}
      </QueryState>
    </>
  )
}

/** Render it while it is open. It also opens over the portal, which has no query provider, so it renders its own. */
export function OwnSessionsDialog({ onClose }: { onClose: () => void }) {
  const t = useTexts(sessionsTexts)
  return (
    <QueryClientProvider client={queryClient}>
      <DialogWindow onClose={onClose} size={480} title={t('title')}>
        <OwnSessions />
      </DialogWindow>
    </QueryClientProvider>
  )
}
