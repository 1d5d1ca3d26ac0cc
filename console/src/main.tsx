// The browser's entry. Loads configuration and session before the first paint.
import { createRoot } from 'react-dom/client'
import './app/theme/styles.ts'
import { App } from './app/start/App.tsx'
import { handleErrorsGlobally } from './app/start/globalErrors.ts'
import { startTexts } from './app/start/start.texts.ts'
import { start } from './app/start/start.ts'
import { portalTexts } from './features/portal/portal.texts.ts'
import { errorTexts } from './kit/api/errorText.ts'
import { dialogTexts } from './kit/dialogs/dialogs.texts.ts'
import { prefetchDialogs } from './kit/dialogs/dialogs.tsx'
import { beginTexts, preferredLanguage } from './kit/texts/texts.ts'

// zod is loaded later and would try `new Function`, which the CSP refuses and reports. It reads this setting when it is
// loaded. Its own `config()` would bring zod into the first script.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } })

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')

// Characters of the sign-in page in the person's language. Their fonts load while the server responds. Otherwise the
// first layout would request them, search the machine for substitutes, and paint twice.
const LETTERS = { ko: '업무 계정으로 로그인해 주세요. 아이디 비밀번호 저장 찾기 테마 한국어', en: 'Sign in 한국어' }
void document.fonts.load('1em "Pretendard Variable"', LETTERS[preferredLanguage()])

/** Milliseconds after which the page says what it waits for. */
const PATIENCE = 500

handleErrorsGlobally(() => undefined)
// Texts and the server load in parallel. The first drawn page is the final one, unless the server is slow. A spinner
// before it would cost a slow processor a tenth of a second, and index.html already shows one.
const texts = beginTexts(dialogTexts, errorTexts, startTexts, portalTexts)
const started = start()
const patience = new Promise((resolve) => setTimeout(resolve, PATIENCE))
void Promise.all([texts, Promise.race([started, patience])]).then(() => createRoot(root).render(<App />))
// Modules needed later load last.
const fetchTheRest = () => {
  prefetchDialogs()
  const parts = [
    import('./kit/browser/keepFocus.ts').then(({ keepFocus }) => keepFocus()),
    import('./app/theme/styles.rare.ts'),
  ]
  // The page works without them.
  void Promise.allSettled(parts)
}
// Safari has no requestIdleCallback.
void started.then(() =>
  'requestIdleCallback' in window ? requestIdleCallback(fetchTheRest) : setTimeout(fetchTheRest),
)
