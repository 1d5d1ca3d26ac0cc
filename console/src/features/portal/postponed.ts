// "Later" for an expired license: remembered by the tab until the sign-in page is shown again.
import { tabMark } from '../../kit/browser/storage.ts'

export const { isSet: isLicensePostponed, set: postponeLicense } = tabMark('acc.licensePostponed')
