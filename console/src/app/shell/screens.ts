// Every screen, in the order of the menu, and the one on which a person starts.
import { page } from '@acc/contract/core/access'
import { Level } from '@acc/contract/labels/access'
import { exportApprovalsScreen, importApprovalsScreen } from '../../features/approvals/approvals.screen.ts'
import { authoritiesScreen } from '../../features/authorities/authorities.screen.ts'
import { bimScreen } from '../../features/bim/bim.screen.ts'
import { clientVersionsScreen } from '../../features/clientVersions/clientVersions.screen.ts'
import { dashboardScreen } from '../../features/dashboard/dashboard.screen.ts'
import { historyScreen } from '../../features/history/history.screen.ts'
import { loginPolicyScreen } from '../../features/loginPolicy/loginPolicy.screen.ts'
import { policiesScreen } from '../../features/policies/policies.screen.ts'
import { settingsScreen } from '../../features/settings/settings.screen.ts'
import { systemStatusScreen } from '../../features/systemStatus/systemStatus.screen.ts'
import { usersScreen } from '../../features/users/users.screen.ts'
import type { Viewer } from '../../kit/api/viewer.ts'
import { isOpen, type Screen } from '../../kit/layout/screen.ts'

export const screens: readonly Screen[] = [
  dashboardScreen,
  policiesScreen,
  usersScreen,
  importApprovalsScreen,
  exportApprovalsScreen,
  historyScreen,
  settingsScreen,
  clientVersionsScreen,
  authoritiesScreen,
  bimScreen,
  loginPolicyScreen,
  systemStatusScreen,
]

/** Screens with a manager's work, the most urgent first. Without the history, the dashboard has little to show. */
const WORK = [
  { screen: exportApprovalsScreen, access: page('fileExportApprove', Level.EDIT) },
  { screen: importApprovalsScreen, access: page('fileImportApprove', Level.EDIT) },
  { screen: usersScreen, access: page('user', Level.EDIT) },
  { screen: policiesScreen, access: page('policy', Level.EDIT) },
  { screen: dashboardScreen, access: page('log', Level.READ) },
] as const

/** Returns the first screen after signing in: the dashboard of administrators, the first work of a manager. */
export function startScreenOf(open: readonly Screen[], viewer: Viewer): Screen | undefined {
  if (viewer.isAdmin) return open[0]
  const work = WORK.find(({ screen, access }) => isOpen(screen, viewer) && viewer.can(access))
  return work?.screen ?? open.find((screen) => screen !== dashboardScreen) ?? open[0]
}
