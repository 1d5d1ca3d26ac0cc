import { api } from '@acc/contract'
import { routes } from '../../http/route.ts'
import { findVisibleRun, searchRows, searchRuns } from './userImports.search.ts'
import { applyRun, cancelRun, downloadTemplate, pauseRun, uploadFile } from './userImports.service.ts'

export default routes(api.userImports, {
  downloadTemplate,
  upload: uploadFile,
  search: searchRuns,
  find: findVisibleRun,
  searchRows,
  apply: applyRun,
  pause: pauseRun,
  cancel: cancelRun,
})
