// The title of the browser's tab: what waits on the open screen, the screen, the product. `(3) Export approval · ACC`.
import { useEffect } from 'react'
import { useViewer } from '../../kit/api/viewer.ts'
import type { Screen } from '../../kit/layout/screen.ts'
import { useLanguage } from '../../kit/texts/texts.ts'

const useNoBadge = () => undefined

/** Has a React key per screen, since `useBadge` is a hook of the screen. */
export function DocumentTitle({ screen }: { screen: Screen }) {
  const language = useLanguage()
  const { serverName } = useViewer().runtime.product
  const useBadge = screen.useBadge ?? useNoBadge
  const badge = useBadge()
  useEffect(() => {
    document.title = `${badge ? `(${badge}) ` : ''}${screen.title[language]} · ${serverName}`
    return () => {
      document.title = serverName
    }
  }, [badge, screen, language, serverName])
  return null
}
