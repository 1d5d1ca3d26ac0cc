// The root: theme, dialogs and the application's state. The portal is part of the first script; the console is fetched
// when it is entered.
import { MantineProvider } from '@mantine/core'
import { Suspense } from 'react'
import { Portal } from '../../features/portal/Portal.tsx'
import { markHandled } from '../../kit/api/errors.ts'
import { Dialogs } from '../../kit/dialogs/dialogs.tsx'
import { fetchedComponent } from '../../kit/layout/fetchedComponent.ts'
import { loadTexts, useTexts } from '../../kit/texts/texts.ts'
import { appTexts } from '../shell/app.texts.ts'
import { colorSchemeManager, theme } from '../theme/theme.ts'
import { useAppState } from './appState.ts'
import { Boundary } from './Boundary.tsx'
import { SplashScreen } from './SplashScreen.tsx'
import { StartFailed } from './StartFailed.tsx'
import { startTexts } from './start.texts.ts'
import { enterMain, start } from './start.ts'
import { showUnknownError } from './unknownError.ts'

const MainApp = fetchedComponent(() => import('../shell/MainApp.tsx').then((module) => [module.MainApp, appTexts]))

/** Loads the session checker, which the first paint does not need; returns a function that stops it. */
function watchSession(minutes: number): () => void {
  let stop = () => {}
  let isStopped = false
  void Promise.all([import('../session/sessionChecker.ts'), loadTexts(appTexts)]).then(([{ checkSession }]) => {
    if (!isStopped) stop = checkSession({ minutes, onSession: () => undefined }).stop
  }, markHandled)
  return () => {
    isStopped = true
    stop()
  }
}

function State() {
  const state = useAppState()
  const t = useTexts(startTexts)
  if (state.name === 'sessionChecking') return <SplashScreen label={t('checking')} />
  if (state.name === 'failed') return <StartFailed error={state.error} onRetry={() => void start()} />
  if (state.name === 'main') return <MainApp {...state} />
  const { configs } = state
  return (
    <Portal
      configs={configs}
      session={state.session}
      ssoError={state.ssoError}
      go={state.go}
      hasNoScreens={state.hasNoScreens ?? false}
      onEnter={(session) => enterMain(session, configs)}
      onRestart={start}
      onUnknownError={() => void showUnknownError()}
      watchSession={watchSession}
    />
  )
}

export function App() {
  return (
    <MantineProvider
      theme={theme}
      colorSchemeManager={colorSchemeManager}
      defaultColorScheme="auto"
      withCssVariables={false}
      withGlobalClasses={false}
    >
      <Boundary>
        <Suspense fallback={<SplashScreen label="" />}>
          <State />
        </Suspense>
      </Boundary>
      <Dialogs />
    </MantineProvider>
  )
}
