// The router: one route, whose parameter is the screen and whose search is what the screen shows. The address stays the
// front route; the actual location is in history.state through the router's masks, so Back, Forward and reload work.
import {
  createBrowserHistory,
  createRootRoute,
  createRoute,
  createRouteMask,
  createRouter,
  useBlocker,
  useNavigate,
  useParams,
} from '@tanstack/react-router'
import { Suspense, use, useEffect, useRef } from 'react'
import { useViewer } from '../../kit/api/viewer.ts'
import { showMessage } from '../../kit/dialogs/dialogs.tsx'
import { closeLinkedNotices } from '../../kit/dialogs/toast.tsx'
import { confirmLeave, hasUnsaved } from '../../kit/form/unsaved.ts'
import { Loading } from '../../kit/layout/QueryState.tsx'
import { availabilityOf, isOpen, OpenScreensContext, type Screen, ScreenContext } from '../../kit/layout/screen.ts'
import { text, useLanguage } from '../../kit/texts/texts.ts'
import { setAppState } from '../start/appState.ts'
import { Boundary } from '../start/Boundary.tsx'
import { homeOf } from '../start/destination.ts'
import { appTexts } from './app.texts.ts'
import { Shell } from './Shell.tsx'
import { screens, startScreenOf } from './screens.ts'

/** Returns the current screen, by default the one on which the viewer starts. */
function useCurrentScreen() {
  const viewer = useViewer()
  const { screen: name } = useParams({ strict: false })
  const open = screens.filter((screen) => isOpen(screen, viewer))
  const listed = screens.filter((screen) => availabilityOf(screen, viewer) !== 'hidden')
  return { name, listed, open, current: open.find((screen) => screen.name === name) ?? startScreenOf(open, viewer) }
}

/** Navigates to the start screen by name, since only a named one is kept in the history with what it shows. */
function useName(name: string | undefined, current: Screen | undefined): void {
  const navigate = useNavigate()
  useEffect(() => {
    if (name === undefined && current !== undefined)
      void navigate({ to: '/$screen', params: { screen: current.name }, replace: true })
  }, [name, current, navigate])
}

function ScreenContent({ screen }: { screen: Screen }) {
  const Content = use(screen.fetch())
  useEffect(() => closeLinkedNotices, [])
  return <Content />
}

/** Explains that all of the viewer's screens are disabled, with a link to the download page (spec S1 §2). */
function NoScreens() {
  const viewer = useRef(useViewer())
  useEffect(() => {
    const { session, configs } = viewer.current
    void showMessage({ title: text(appTexts, 'noScreens'), body: text(appTexts, 'noScreensHint') }).then(() =>
      setAppState({ name: 'login', configs, session, hasNoScreens: true }),
    )
  }, [])
  return null
}

function Frame() {
  const { name, listed, open, current } = useCurrentScreen()
  useName(name, current)
  useBlocker({
    // A replacing navigation is a filter or a search: the pane with the changes stays open.
    shouldBlockFn: async ({ action }) => action !== 'REPLACE' && !(await confirmLeave()),
    enableBeforeUnload: hasUnsaved,
    disabled: false,
  })
  return (
    <Shell screens={listed} current={current}>
      {current === undefined ? (
        <NoScreens />
      ) : (
        <OpenScreensContext value={open}>
          <ScreenContext value={current}>
            <DocumentTitle key={`title ${current.name}`} screen={current} />
            <Boundary key={current.name}>
              <Suspense fallback={<Loading />}>
                <ScreenContent screen={current} />
              </Suspense>
            </Boundary>
          </ScreenContext>
        </OpenScreensContext>
      )}
    </Shell>
  )
}

const anything = (search: Record<string, unknown>) => search

export function createScreenRouter(frontRoute: string) {
  const home = homeOf(frontRoute, location.pathname)
  const root = createRootRoute({ component: Frame, notFoundComponent: () => null })
  const first = createRoute({ getParentRoute: () => root, path: '/', validateSearch: anything })
  const screen = createRoute({ getParentRoute: () => root, path: '/$screen', validateSearch: anything })
  const routeTree = root.addChildren([first, screen])
  const router = createRouter({
    routeTree,
    basepath: frontRoute,
    // The address bar always shows exactly the front route.
    history: createBrowserHistory({ createHref: () => home }),
    routeMasks: [createRouteMask({ routeTree, from: '/$screen', to: '/', search: {} })],
    trailingSlash: 'never',
    // What goes wrong outside of a screen is shown by the application's own boundary.
    disableGlobalCatchBoundary: true,
  })
  return router
}

const useNoBadge = () => undefined

/**
 * The title of the browser's tab: what waits on the open screen, the screen, the product. `(3) Export approval · ACC`.
 * Has a React key per screen, since `useBadge` is a hook of the screen.
 */
function DocumentTitle({ screen }: { screen: Screen }) {
  const language = useLanguage()
  const { serverName } = useViewer().runtime.product
  const useBadge = screen.useBadge ?? useNoBadge
  const count = useBadge()?.count
  useEffect(() => {
    document.title = `${count ? `(${count}) ` : ''}${screen.title[language]} · ${serverName}`
    return () => {
      document.title = serverName
    }
  }, [count, screen, language, serverName])
  return null
}
