// The menus of the settings screen, in their order (spec S1 §2).
import type { SettingMenu } from '../../kit/layout/settingMenu.ts'
import { clientPolicyMenu, siteConfigMenu } from '../configTexts/exports.ts'
import { infosMenu } from '../infos/exports.ts'
import { licensesMenu } from '../licenses/exports.ts'
import { mailServerMenu } from '../mailServer/exports.ts'
import { shortcutsMenu } from '../shortcuts/exports.ts'
import { userSyncMenu } from './userSyncMenu.tsx'

export const MENUS: readonly [SettingMenu, ...SettingMenu[]] = [
  infosMenu,
  shortcutsMenu,
  mailServerMenu,
  userSyncMenu,
  licensesMenu,
  siteConfigMenu,
  clientPolicyMenu,
]
