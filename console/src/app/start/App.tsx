// The root: theme, dialogs and the application's state. The portal is part of the first script; the console is fetched
// when it is entered.
import { Button, Loader, MantineProvider, Text } from '@mantine/core'
import { Suspense } from 'react'
import { Portal } from '../../features/portal/Portal.tsx'
import { markHandled } from '../../kit/api/errors.ts'
import { errorText } from '../../kit/api/errorText.ts'
import { useSilence } from '../../kit/browser/connection.ts'
import { dialogTexts } from '../../kit/dialogs/dialogs.texts.ts'
import { Dialogs, showMessage } from '../../kit/dialogs/dialogs.tsx'
import { fetchedComponent } from '../../kit/layout/fetchedComponent.ts'
import { loadTexts, text, useTexts } from '../../kit/texts/texts.ts'
import { appTexts } from '../shell/app.texts.ts'
import { colorSchemeManager, theme } from '../theme/theme.ts'
import css from './App.module.css'
import { useAppState } from './appState.ts'
import { Boundary } from './Boundary.tsx'
import { reloadPage } from './reloadPage.ts'
import { startTexts } from './start.texts.ts'
import { enterMain, start } from './start.ts'

/** The sessionChecking state: a spinner in the middle of the page. */
function SplashScreen({ label }: { label: string }) {
  return (
    <main className={css.whole} aria-busy="true" aria-label={label}>
      <Loader size="sm" color="gray" />
    </main>
  )
}

type HeldProps = { title: string; hint: string; action?: string | undefined; onRetry: () => void }

/** Shown when the server could not be reached at the start, or does not answer, with a button to retry. */
function StartHeld({ title, hint, action, onRetry }: HeldProps) {
  const kit = useTexts(dialogTexts)
  return (
    <main className={css.whole}>
      <div className={css.words} role="alert">
        <Text component="h1" fw={650} size="lg">
          {title}
        </Text>
        <Text size="sm" c="dimmed" ta="center" maw={420}>
          {hint}
        </Text>
      </div>
      <Button mt={12} onClick={onRetry}>
        {action ?? kit('retry')}
      </Button>
    </main>
  )
}

/** The dialog of an unknown error, which reloads the page (spec S1 §2, §8). */
async function showUnknownError(): Promise<void> {
  await showMessage({ title: text(dialogTexts, 'unknownTitle'), body: text(dialogTexts, 'unknownBody') })
  reloadPage()
}

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
  const { isSilent, restart } = useSilence(state.name === 'sessionChecking')
  const retry = () => {
    restart()
    void start()
  }
  if (state.name === 'failed') return <StartHeld title={t('failed')} hint={errorText(state.error)} onRetry={retry} />
  if (isSilent) {
    const isLinkSent = state.name === 'sessionChecking' && state.isLinkSent === true
    const hint = t(isLinkSent ? 'linkSentHint' : 'silentHint')
    const action = isLinkSent ? t('withoutLink') : undefined
    return <StartHeld title={t('silent')} hint={hint} action={action} onRetry={retry} />
  }
  if (state.name === 'sessionChecking') return <SplashScreen label={t('checking')} />
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
