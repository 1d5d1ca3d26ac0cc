// The signed-in application: server data, notices, the router with the frame around it.
import { api } from '@acc/contract'
import type { AppConfigs } from '@acc/contract/configs'
import { ApiError } from '@acc/contract/core/client'
import { ERRORS } from '@acc/contract/core/errors'
import { Role } from '@acc/contract/labels/access'
import type { Session } from '@acc/contract/session'
import { DatesProvider } from '@mantine/dates'
import { Notifications } from '@mantine/notifications'
import { QueryClientProvider, useQuery } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { type ReactNode, useEffect, useState } from 'react'
import { passError } from '../../kit/api/errors.ts'
import { setAdministrator } from '../../kit/api/errorText.ts'
import { queryClient, queryOf } from '../../kit/api/query.ts'
import { type Viewer, ViewerContext, viewerOf } from '../../kit/api/viewer.ts'
import { keepFocus } from '../../kit/browser/keepFocus.ts'
import { truncationTooltips } from '../../kit/browser/truncationTooltips.ts'
import { followSilentWrites, showToast } from '../../kit/dialogs/toast.tsx'
import { isOpen } from '../../kit/layout/screen.ts'
import { allowParticlesInTexts } from '../../kit/texts/particles.ts'
import { loadTexts, text, useLanguage } from '../../kit/texts/texts.ts'
import { checkSession } from '../session/sessionChecker.ts'
import type { Destination } from '../start/destination.ts'
import { handleErrorsGlobally } from '../start/globalErrors.ts'
import { appTexts } from './app.texts.ts'
import { followLiveEvents, reloadGroups } from './liveEvents.ts'
import { createScreenRouter } from './router.tsx'
import { screens } from './screens.ts'
import '../theme/styles.main.ts'

const PARTS: Readonly<Record<string, { screen: string; view: object }>> = {
  mails: { screen: 'settings', view: { menu: 'mailServer', tab: 'sent' } },
}

/** Where a destination of the address is shown: a screen of its own, or a part of another screen. */
function placeOf({ screen, idx }: Destination): { screen: string; view: object } {
  const part = Object.hasOwn(PARTS, screen) ? PARTS[screen] : undefined
  return { screen: part?.screen ?? screen, view: { ...part?.view, ...(idx !== null && { idx }) } }
}

const mayOpen = (name: string, viewer: Viewer): boolean =>
  screens.some((screen) => screen.name === name && isOpen(screen, viewer))

allowParticlesInTexts()

/** Fetches the text and fonts of the message about a lost connection ahead: without the server they are unavailable. */
async function prefetchLetters(): Promise<void> {
  await Promise.all([loadTexts(appTexts), import('../theme/styles.rare.ts')])
  await document.fonts.load('1em "Pretendard Variable"', text(appTexts, 'connectionLost'))
}

type ViewerProps = { session: Session; configs: AppConfigs; children: ReactNode }

/** The viewer with the configuration as it is now: a logo or a license that is changed shows at once. */
function CurrentViewer({ session, configs: first, children }: ViewerProps) {
  const { data: configs } = useQuery({
    ...queryOf(api.configs.find, {}),
    initialData: first,
    staleTime: Number.POSITIVE_INFINITY,
  })
  useEffect(() => setAdministrator(session.role === Role.ADMIN), [session.role])
  return <ViewerContext value={{ session, configs }}>{children}</ViewerContext>
}

type Props = { configs: AppConfigs; session: Session; go: Destination | null }

export function MainApp({ configs, session: first, go }: Props) {
  const language = useLanguage()
  const [session, setSession] = useState(first)
  const [router] = useState(() => createScreenRouter(configs.runtime.frontRoute))
  const [viewer] = useState(() => viewerOf({ session: first, configs }))
  const [isThere, setThere] = useState(go === null)
  useEffect(() => {
    if (go === null) return
    const { screen, view } = placeOf(go)
    if (!mayOpen(screen, viewer)) {
      // As with a record that the viewer may not see.
      passError(new ApiError('server', ERRORS.NOT_ALLOWED.code, 'NOT_ALLOWED'))
      setThere(true)
      return
    }
    const place = { to: '/$screen', params: { screen }, search: view, replace: true }
    void router.navigate(place).then(() => setThere(true))
  }, [router, go, viewer])
  useEffect(truncationTooltips, [])
  useEffect(keepFocus, [])
  useEffect(followSilentWrites, [])
  useEffect(() => void prefetchLetters().catch(() => undefined), [])
  useEffect(() => {
    handleErrorsGlobally(reloadGroups)
    const checker = checkSession({
      minutes: configs.sessionValidMinutes,
      onSession: setSession,
      onExpiring: () => showToast(text(appTexts, 'expiresSoon'), 'warning'),
    })
    const stopEvents = followLiveEvents(checker.askNow)
    return () => {
      stopEvents()
      checker.stop()
    }
  }, [configs])
  return (
    <QueryClientProvider client={queryClient}>
      <DatesProvider settings={{ locale: language, firstDayOfWeek: 1, weekendDays: [0], consistentWeeks: true }}>
        <Notifications
          role="status"
          aria-atomic={false}
          position="top-center"
          limit={4}
          containerWidth={480}
          zIndex={400}
        />
        <CurrentViewer session={session} configs={configs}>
          {isThere && <RouterProvider router={router} />}
        </CurrentViewer>
      </DatesProvider>
    </QueryClientProvider>
  )
}
