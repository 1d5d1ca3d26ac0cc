import { api } from '@acc/contract'
import { Transfer } from '@acc/contract/labels/requests'
import { routes } from '../../http/route.ts'
import {
  readDecisions,
  readFirstSteps,
  readHourlyLogins,
  readLicenseStates,
  readMonths,
  readRequestStates,
  readTopGroups,
  readUsedVersions,
  readUserStates,
} from './dashboard.service.ts'

export default routes(api.dashboard, {
  findHourlyUserLogins: readHourlyLogins,
  searchApproveRequests: readMonths,
  searchDecisions: readDecisions,
  findTopGroups: readTopGroups,
  findUsedVersions: readUsedVersions,
  findFileImportStates: readRequestStates(Transfer.IMPORT),
  findFileExportStates: readRequestStates(Transfer.EXPORT),
  findUserStates: readUserStates,
  findLicenseStates: readLicenseStates,
  findFirstSteps: readFirstSteps,
})
