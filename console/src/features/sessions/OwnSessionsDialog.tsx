// Dialog with the viewer's own open sessions. It also opens over the portal, which has no query provider, so it renders
// its own.
import { session as routes } from '@acc/contract/session'
import { Text } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { queryClient, useApiAction, useApiQuery } from '../../kit/api/query.ts'
import { DialogWindow } from '../../kit/dialogs/DialogWindow.tsx'
import { confirm } from '../../kit/dialogs/dialogs.tsx'
import { ReasonedButton } from '../../kit/form/ReasonedButton.tsx'
import { Hint } from '../../kit/layout/Page.tsx'
import { QueryState } from '../../kit/layout/QueryState.tsx'
import { useTexts } from '../../kit/texts/texts.ts'
import { SessionList } from './SessionList.tsx'
import { sessionsTexts } from './sessions.ts'

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
