import { api } from '@acc/contract'
import { routes } from '../../http/route.ts'
import { findHistoryEntry, searchEntries, searchSignIns, searchTransfers } from './history.service.ts'

export default routes(api.history, {
  find: findHistoryEntry,
  clientLogin: searchSignIns('clientLogin'),
  fileEximport: searchTransfers,
  fileDownload: searchEntries('fileDownload'),
  networkAccess: searchEntries('networkAccess'),
  webLogin: searchSignIns('webLogin'),
  account: searchEntries('account'),
  groupManage: searchEntries('groupManage'),
  policyManage: searchEntries('policyManage'),
  userManage: searchEntries('userManage'),
  shortcutManage: searchEntries('shortcutManage'),
  licenseUse: searchEntries('licenseUse'),
  clientManage: searchEntries('clientManage'),
  authManage: searchEntries('authManage'),
  settingManage: searchEntries('settingManage'),
  bimManage: searchEntries('bimManage'),
})
