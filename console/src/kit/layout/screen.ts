// A screen as the menu, the router and the spotlight know it. Each feature exports one (`mails.screen.ts`), which
// fetches the rest of the feature when it is first wanted; app/shell/screens.ts lists them in the order of the menu.

import type { RuntimeConfig } from '@acc/contract/configs'
import type { Access } from '@acc/contract/core/access'
import type { IconProps } from '@tabler/icons-react'
import { type ComponentType, createContext, type LazyExoticComponent, lazy } from 'react'
import type { Viewer } from '../api/viewer.ts'
import { type Bilingual, loadTexts, type Texts } from '../texts/texts.ts'

type Spec = {
  /** Where links, history and `?go=name/123` find it. */
  name: string
  title: Bilingual
  /** One line of what the screen is for; may differ by the viewer's level. */
  purpose: Bilingual | ((viewer: Viewer) => Bilingual)
  icon: ComponentType<IconProps>
  /** `system` screens stand under their own heading. */
  section: 'main' | 'system'
  access: Access
  /** The operator's show flags. */
  isShown?: (runtime: RuntimeConfig) => boolean
  texts: Texts
  load: () => Promise<ComponentType>
  /** A number beside the menu's title: what waits for the person. Runs as a hook in the menu. */
  useBadge?: () => number | undefined
}
export type Screen = Omit<Spec, 'load'> & {
  Component: LazyExoticComponent<ComponentType>
  /** Fetches code and texts ahead: the pointer is over the menu. */
  prefetch: () => void
}

/** The screen that is open. */
export const ScreenContext = createContext<Screen | null>(null)

export function defineScreen({ load, ...spec }: Spec): Screen {
  const fetchAll = async () => {
    const [Component] = await Promise.all([load(), loadTexts(spec.texts)])
    return { default: Component }
  }
  return { ...spec, Component: lazy(fetchAll), prefetch: () => void fetchAll().catch(() => undefined) }
}

export const isOpen = (screen: Screen, viewer: Viewer): boolean =>
  viewer.can(screen.access) && (screen.isShown?.(viewer.runtime) ?? true)
