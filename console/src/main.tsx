// The browser's entry. Asks for configuration and session before anything is drawn.
import { createRoot } from 'react-dom/client'
import './app/styles.ts'
import { App } from './app/App.tsx'
import { appTexts } from './app/app.texts.ts'
import { handleErrorsGlobally } from './app/globalErrors.ts'
import { start } from './app/start.ts'
import { portalTexts } from './features/portal/portal.texts.ts'
import { prefetchDialogs } from './kit/dialogs.tsx'
import { kitTexts } from './kit/kit.texts.ts'
import { startTexts } from './kit/texts.ts'

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')

handleErrorsGlobally(() => undefined)
void startTexts(kitTexts, appTexts, portalTexts).then(() => {
  createRoot(root).render(<App />)
  requestIdleCallback(prefetchDialogs)
  return start()
})
