// The browser's entry. Asks for configuration and session before anything is drawn.
import { createRoot } from 'react-dom/client'
import './app/styles.ts'
import { App } from './app/App.tsx'
import { handleErrorsGlobally } from './app/globalErrors.ts'
import { startTexts } from './app/start.texts.ts'
import { start } from './app/start.ts'
import { portalTexts } from './features/portal/portal.texts.ts'
import { dialogTexts } from './kit/dialogs.texts.ts'
import { prefetchDialogs } from './kit/dialogs.tsx'
import { errorTexts } from './kit/errors.texts.ts'
import { beginTexts } from './kit/texts.ts'

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')

handleErrorsGlobally(() => undefined)
void beginTexts(dialogTexts, errorTexts, startTexts, portalTexts).then(() => {
  createRoot(root).render(<App />)
  requestIdleCallback(prefetchDialogs)
})
// Meanwhile the server is asked; whichever is there first waits for the other.
void start()
