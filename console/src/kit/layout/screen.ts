// A screen as the menu, the router and the jump dialog use it. Each feature exports one (`users.screen.ts`), which
// fetches the rest of the feature when first opened. app/shell/screens.ts lists the screens in the order of the menu.
import type { AppConfigs, RuntimeConfig } from '@acc/contract/configs'
import type { Access } from '@acc/contract/core/access'
import type { IconProps } from '@tabler/icons-react'
import { type ComponentType, createContext } from 'react'
import type { Viewer } from '../api/viewer.ts'
import { fetchedPart, retryFailed } from '../browser/fetchedPart.ts'
import { type Bilingual, loadTexts, type Texts } from '../texts/texts.ts'
import type { Language } from '../texts/translate.ts'

/** A name, and other words that people search for it by, in both languages. */
type Named = { title: Bilingual; words?: string }

/** The tabs or menus of a screen by their names in its view. PaneTabs and Ctrl K show the same ones. */
export type Parts<N extends string = string> = Readonly<Record<N, Named>>

export const namesOf = <N extends string>(parts: Parts<N>) => Object.keys(parts) as [N, ...N[]]

/** Returns parts as the items of PaneTabs. */
export const tabsOf = <N extends string>(parts: Parts<N>, language: Language) =>
  namesOf(parts).map((value) => ({ value, label: parts[value].title[language] }))

/** A part of a screen, or a command on it, that Ctrl K opens. */
export type Jump = Named & {
  /** The menu that the part belongs to. */
  within?: Bilingual
  /** What the screen shows then. */
  view: Record<string, unknown>
  /** Who finds it, where the screen is open to others as well. */
  access?: Access
  isCommand?: true
}

export const jumpsOf = <N extends string>(parts: Parts<N>, viewOf: (name: N) => Jump['view']): Jump[] =>
  namesOf(parts).map((name) => ({ ...parts[name], view: viewOf(name) }))

type MenuSpec = Named & {
  /** Where links and the history find it. */
  name: string
  tabs?: Parts
  /** Whether the shared Save shows (spec S1 §2), at the panel's `tab` if it has any. Panels call `useSharedSave`. */
  hasSave: (configs: AppConfigs, tab: string | undefined) => boolean
  load: () => Promise<ComponentType>
}

/** A menu of the settings screen. Each feature defines its own; settings.screen.ts lists them in their order. */
export type SettingMenu = Omit<MenuSpec, 'load'> & { fetch: () => Promise<ComponentType> }

export const defineMenu = ({ load, ...spec }: MenuSpec): SettingMenu => ({ ...spec, fetch: fetchedPart(load) })

/** Returns a menu, which opens its first tab, and its other tabs. */
export function jumpsOfMenu({ name, title, words = '', tabs = {} }: SettingMenu): Jump[] {
  const others = jumpsOf(tabs, (tab) => ({ menu: name, tab })).slice(1)
  return [{ title, words, view: { menu: name } }, ...others.map((jump) => ({ ...jump, within: title }))]
}

/** `unavailable`: the menu lists the screen, disabled, and says so. */
export type Availability = 'shown' | 'unavailable' | 'hidden'

export const shownIf = (isShown: boolean): Availability => (isShown ? 'shown' : 'hidden')

/** A number in the menu and in the browser's tab: what waits for the person, or faults. */
export type Badge = { count: number; kind: 'waiting' | 'faults' | 'urgentFaults' }

type Spec = Named & {
  /** Where links, history and `?go=name/123` find it. */
  name: string
  /** One-line description of the screen; may depend on the viewer's level. */
  purpose: Bilingual | ((viewer: Viewer) => Bilingual)
  icon: ComponentType<IconProps>
  /** `system` screens are listed under a separate heading. */
  section: 'main' | 'system'
  access: Access
  /** Derived from the operator's show flags; defaults to `shown`. */
  availability?: (runtime: RuntimeConfig) => Availability
  texts: Texts
  load: () => Promise<ComponentType>
  /** Its parts and commands, for Ctrl K. */
  jumps?: readonly Jump[]
  /** Shown next to the menu's title. Runs as a hook in the menu. */
  useBadge?: () => Badge | undefined
}
export type Screen = Omit<Spec, 'load'> & {
  /** The screen's component with its code and texts. */
  fetch: () => Promise<ComponentType>
  /** Fetches ahead: the pointer is over the menu. */
  prefetch: () => void
}

/** The screen that is open. */
export const ScreenContext = createContext<Screen | null>(null)

/** The screens that the viewer may open, for links between them. */
export const OpenScreensContext = createContext<readonly Screen[]>([])

export function defineScreen({ load, ...spec }: Spec): Screen {
  const fetch = fetchedPart(async () => {
    const [Component] = await Promise.all([load(), loadTexts(spec.texts)])
    return Component
  })
  return { ...spec, fetch, prefetch: () => void fetch().catch(retryFailed) }
}

/** Whether the viewer may open a screen, sees it disabled in the menu, or not at all. */
export const availabilityOf = (screen: Screen, viewer: Viewer): Availability =>
  viewer.can(screen.access) ? (screen.availability?.(viewer.runtime) ?? 'shown') : 'hidden'

export const isOpen = (screen: Screen, viewer: Viewer): boolean => availabilityOf(screen, viewer) === 'shown'
