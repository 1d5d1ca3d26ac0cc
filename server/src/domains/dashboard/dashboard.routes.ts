import { api } from '@acc/contract'
import { Transfer } from '@acc/contract/labels/requests'
import { routes } from '../../http/route.ts'
import {
  readFirstSteps,
  readHourlyLogins,
  readLicenseStates,
  readMonths,
  readRequestStates,
  readUserStates,
} from './dashboard.service.ts'

export default routes(api.dashboard, {
  findHourlyUserLogins: readHourlyLogins,
  searchApproveRequests: readMonths,
  findFileImportStates: readRequestStates(Transfer.IMPORT),
  findFileExportStates: readRequestStates(Transfer.EXPORT),
  findUserStates: readUserStates,
  findLicenseStates: readLicenseStates,
  findFirstSteps: readFirstSteps,
})
