// Dialog with the viewer's own open sessions. It also opens over the portal, which has no query provider, so it renders
// its own.
import { ApiError } from '@acc/contract/core/client'
import { type OpenSession, session as routes } from '@acc/contract/session'
import { QueryClientProvider } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { call } from '../../kit/api/call.ts'
import { markHandled } from '../../kit/api/errors.ts'
import { queryClient, refresh, useApiQuery } from '../../kit/api/query.ts'
import { DialogWindow } from '../../kit/dialogs/DialogWindow.tsx'
import { confirm } from '../../kit/dialogs/dialogs.tsx'
import { ReasonedButton } from '../../kit/form/ReasonedButton.tsx'
import { Hint } from '../../kit/layout/Page.tsx'
import { QueryState } from '../../kit/layout/QueryState.tsx'
import { useTexts } from '../../kit/texts/texts.ts'
import { SessionList } from './SessionList.tsx'
import css from './Sessions.module.css'
import { sessionsTexts } from './sessions.ts'

/** Ends a session; one that has already ended (980) counts as success. */
async function endSession({ idx }: OpenSession): Promise<boolean> {
  try {
    await call(routes.end, { idx })
    return true
  } catch (error) {
    if (!(error instanceof ApiError && error.error === 'NOT_ALLOWED')) return false
    markHandled(error)
    return true
  }
}

async function endOthers(): Promise<boolean> {
  try {
    await call(routes.endOthers, {})
    return true
  } catch {
    // The global handler shows the error.
    return false
  }
}

function EndOthers({ count, onDone }: { count: number; onDone: () => Promise<void> }) {
  const t = useTexts(sessionsTexts)
  const [isBusy, setBusy] = useState(false)
  const end = async () => {
    const action = t('endOthers')
    if (!(await confirm({ title: action, body: t('endOthersBody', { count }), action: t('end'), isDanger: true })))
      return
    setBusy(true)
    if (await endOthers()) await onDone()
    setBusy(false)
  }
  return (
    <ReasonedButton mt={12} variant="default" fullWidth isBusy={isBusy} onClick={() => void end()}>
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
  const reload = async (done: string) => {
    await refresh(routes.end.changes)
    setMessage(done)
  }
  const end = async (session: OpenSession) => {
    if (await endSession(session)) await reload(t('ended'))
  }
  return (
    <>
      <Hint>{t('hint')}</Hint>
      <p className={css.done} role="status">
        {message}
      </p>
      <QueryState of={query}>
        {({ sessions }) => (
          <>
            <SessionList sessions={sessions} onEnd={end} />
            {sessions.length > 2 && <EndOthers count={sessions.length - 1} onDone={() => reload(t('othersEnded'))} />}
          </>
        )}
      </QueryState>
    </>
  )
}

/** Render it while it is open. */
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
