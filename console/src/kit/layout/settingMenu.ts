// A menu of the settings screen. Each feature exports its own; features/settings/menus.ts lists them in their order.
import type { AppConfigs } from '@acc/contract/configs'
import type { ComponentType } from 'react'
import type { Bilingual } from '../texts/texts.ts'

export type SettingMenu = {
  /** Where links and the history find it. */
  name: string
  title: Bilingual
  /** Whether the shared Save shows (spec S1 §2); `tab` is the panel's, if it has any. The panel registers its form by `useSharedSave`. */
  hasSave: (configs: AppConfigs, tab: string | undefined) => boolean
  Panel: ComponentType
}
