// The menus of the settings screen, in their order (spec S1 §2).
import type { SettingMenu } from '../../kit/layout/settingMenu.ts'
import { infosMenu } from '../infos/exports.ts'
import { licensesMenu } from '../licenses/exports.ts'
import { shortcutsMenu } from '../shortcuts/exports.ts'

export const MENUS: readonly [SettingMenu, ...SettingMenu[]] = [infosMenu, shortcutsMenu, licensesMenu]
