// The browser's entry. Asks for configuration and session before anything is drawn.
import { createRoot } from 'react-dom/client'
import './app/theme/styles.ts'
import { App } from './app/start/App.tsx'
import { handleErrorsGlobally } from './app/start/globalErrors.ts'
import { startTexts } from './app/start/start.texts.ts'
import { start } from './app/start/start.ts'
import { portalTexts } from './features/portal/portal.texts.ts'
import { errorTexts } from './kit/api/errors.texts.ts'
import { dialogTexts } from './kit/dialogs/dialogs.texts.ts'
import { prefetchDialogs } from './kit/dialogs/dialogs.tsx'
import { beginTexts, preferredLanguage } from './kit/texts/texts.ts'

// zod comes with the console, later, and would try out `new Function`, which the CSP refuses and reports. It reads this when
// it is loaded; its own `config()` would bring it into the first script.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } })

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')

// Letters of the sign-in page in the person's language. Their fonts come while the server is being asked; otherwise they
// would be asked for by the first layout, which would look for substitutes on the machine, draw, and draw again.
const LETTERS = { ko: '업무 계정으로 로그인해 주세요 아이디 비밀번호 저장 테마 한국어', en: 'Sign in 한국어' }
void document.fonts.load('1em "Pretendard Variable"', LETTERS[preferredLanguage()])

handleErrorsGlobally(() => undefined)
void beginTexts(dialogTexts, errorTexts, startTexts, portalTexts).then(() => createRoot(root).render(<App />))
// Meanwhile the server is asked; whichever is there first waits for the other. What will be needed later comes last.
const fetchTheRest = () => {
  prefetchDialogs()
  void import('./kit/browser/keepFocus.ts').then(({ keepFocus }) => keepFocus())
  void import('./app/theme/styles.rare.ts')
}
// Safari knows no idle time.
void start().then(() =>
  'requestIdleCallback' in window ? requestIdleCallback(fetchTheRest) : setTimeout(fetchTheRest),
)
