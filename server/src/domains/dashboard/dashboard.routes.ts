import { api } from '@acc/contract'
import { Transfer } from '@acc/contract/labels/requests'
import { routes } from '../../http/route.ts'
import {
  readHourlyLogins,
  readLicenseStates,
  readMonths,
  readRequestStates,
  readUserStates,
} from './dashboard.service.ts'

export default routes(api.dashboard, {
  hourlyUserLogins: readHourlyLogins,
  approveRequests: readMonths,
  fileImportStates: readRequestStates(Transfer.IMPORT),
  fileExportStates: readRequestStates(Transfer.EXPORT),
  userStates: readUserStates,
  licenseStates: readLicenseStates,
})
