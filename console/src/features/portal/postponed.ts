// "Later" for an expired license: remembered by the tab until the sign-in page is shown again.

const POSTPONED = 'acc.licensePostponed'

export function isLicensePostponed(): boolean {
  try {
    return sessionStorage.getItem(POSTPONED) !== null
  } catch {
    return false
  }
}

export function postponeLicense(isPostponed: boolean): void {
  try {
    if (isPostponed) sessionStorage.setItem(POSTPONED, '1')
    else sessionStorage.removeItem(POSTPONED)
  } catch {
    // Without storage the step is shown again after a reload.
  }
}
