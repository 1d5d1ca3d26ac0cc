// Texts and menus of the settings screen.
import type { SettingMenu } from '../../kit/layout/screen.ts'
import { defineTexts } from '../../kit/texts/texts.ts'
import { clientPolicyMenu, siteConfigMenu } from '../configTexts/configTexts.menu.ts'
import { infosMenu } from '../infos/infos.menu.ts'
import { licensesMenu } from '../licenses/licenses.menu.ts'
import { mailServerMenu } from '../mailServer/mailServer.menu.ts'
import { shortcutsMenu } from '../shortcuts/shortcuts.menu.ts'
import { userSyncMenu } from '../userSync/userSync.menu.ts'

export const settingsTexts = defineTexts(
  () => import('./settings.ko.json'),
  () => import('./settings.en.json'),
)

/** The menus in their order (spec S1 §2). */
export const SETTING_MENUS: readonly [SettingMenu, ...SettingMenu[]] = [
  infosMenu,
  shortcutsMenu,
  mailServerMenu,
  userSyncMenu,
  licensesMenu,
  siteConfigMenu,
  clientPolicyMenu,
]
