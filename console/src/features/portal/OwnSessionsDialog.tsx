// One's own open sign-ins, each of which can be ended but the one that asks. Stands over the portal and over the console,
// so it brings the server data's provider along, which the portal has not.
import { ApiError } from '@acc/contract/core/client'
import { type OpenSession, session as routes } from '@acc/contract/session'
import { Button } from '@mantine/core'
import { IconDeviceDesktop, IconWorld } from '@tabler/icons-react'
import { QueryClientProvider } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { call } from '../../kit/api/call.ts'
import { claim } from '../../kit/api/errors.ts'
import { queryClient, refresh, useApiQuery } from '../../kit/api/query.ts'
import { DialogWindow } from '../../kit/dialogs/DialogWindow.tsx'
import { confirm } from '../../kit/dialogs/dialogs.tsx'
import { Empty, Loaded } from '../../kit/layout/Status.tsx'
import { formatMoment } from '../../kit/texts/format.ts'
import { useTexts } from '../../kit/texts/texts.ts'
import { browserName } from '../pickers/userAgent.ts'
import { Message } from './Message.tsx'
import css from './OwnSessions.module.css'
import { ownSessionsTexts } from './ownSessions.texts.ts'

/** Ends a session; one that had ended meanwhile (980) is what was asked for. */
async function end(idx: number): Promise<boolean> {
  try {
    await call(routes.end, { idx })
    return true
  } catch (error) {
    if (!(error instanceof ApiError && error.error === 'NOT_ALLOWED')) return false
    claim(error)
    return true
  }
}

type RowProps = { session: OpenSession; onEnded: () => void }

function SessionRow({ session, onEnded }: RowProps) {
  const t = useTexts(ownSessionsTexts)
  const [isBusy, setBusy] = useState(false)
  const { idx, kind, ip, userAgent, deviceName, loginDT, lastSeenDT, isCurrent } = session
  const Icon = kind === 'web' ? IconWorld : IconDeviceDesktop
  const where = deviceName ?? browserName(userAgent) ?? t('unknown')
  const what = `${t(kind)} · ${where}`
  const endAsked = async () => {
    if (!(await confirm({ title: t('endTitle'), body: t('endBody', { what }), action: t('end'), isDanger: true })))
      return
    setBusy(true)
    if (await end(idx)) onEnded()
    setBusy(false)
  }
  return (
    <li>
      <Icon size={16} stroke={1.6} aria-hidden />
      <div className={css.session}>
        <span title={userAgent}>{what}</span>
        <small>{ip}</small>
        <small>{t('signedIn', { time: formatMoment(loginDT) })}</small>
        <small>{t('lastSeen', { time: formatMoment(lastSeenDT) })}</small>
      </div>
      {isCurrent === 1 ? (
        <span className={css.current}>{t('current')}</span>
      ) : (
        <Button
          size="compact-xs"
          variant="default"
          aria-label={t('endOf', { what })}
          loading={isBusy}
          onClick={() => void endAsked()}
        >
          {t('end')}
        </Button>
      )}
    </li>
  )
}

function Sessions() {
  const t = useTexts(ownSessionsTexts)
  const query = useApiQuery(routes.list, {})
  const [hasEnded, setEnded] = useState(false)
  // Whoever signs in next in this browser must not find them.
  useEffect(() => () => queryClient.removeQueries({ queryKey: [routes.list.path] }), [])
  const reload = async () => {
    await refresh(routes)
    setEnded(true)
  }
  return (
    <>
      <p className={css.hint}>{t('hint')}</p>
      <Message tone="ok">{hasEnded ? t('ended') : undefined}</Message>
      <Loaded of={query}>
        {({ sessions }) =>
          sessions.length === 0 ? (
            <Empty title={t('empty')} />
          ) : (
            <ul className={css.sessions}>
              {sessions.map((session) => (
                <SessionRow key={session.idx} session={session} onEnded={() => void reload()} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </>
  )
}

/** Rendered while it is open. */
export function OwnSessionsDialog({ onClose }: { onClose: () => void }) {
  const t = useTexts(ownSessionsTexts)
  return (
    <QueryClientProvider client={queryClient}>
      <DialogWindow onClose={onClose} size={480} title={t('title')}>
        <Sessions />
      </DialogWindow>
    </QueryClientProvider>
  )
}
