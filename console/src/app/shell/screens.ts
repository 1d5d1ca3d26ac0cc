// Every screen, in the order of the menu.
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
import type { Screen } from '../../kit/layout/screen.ts'

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
