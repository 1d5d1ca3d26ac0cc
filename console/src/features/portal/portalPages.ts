// The pages of the portal but the sign-in page, which is all that the first paint needs. The others are fetched with their texts.
import { fetchedComponent } from '../../kit/layout/fetchedComponent.ts'
import { downloadTexts, passwordRulesTexts, registerTexts, selfServiceTexts } from './portal.texts.ts'

/** By the names of the portal's menus (spec S1 §2). */
export const PORTAL_PAGES = {
  otp: fetchedComponent(() => import('./SignInOtpPage.tsx').then((m) => [m.SignInOtpPage, selfServiceTexts])),
  changePw: fetchedComponent(() =>
    import('./ChangePasswordPage.tsx').then((m) => [m.ChangePasswordPage, passwordRulesTexts, selfServiceTexts]),
  ),
  registerOtp: fetchedComponent(() =>
    import('./RegisterOtpPage.tsx').then((m) => [m.RegisterOtpPage, selfServiceTexts]),
  ),
  forgotId: fetchedComponent(() => import('./ForgotIdPage.tsx').then((m) => [m.ForgotIdPage, selfServiceTexts])),
  forgotPw: fetchedComponent(() => import('./ForgotPwPage.tsx').then((m) => [m.ForgotPwPage, selfServiceTexts])),
  download: fetchedComponent(() => import('./DownloadPage.tsx').then((m) => [m.DownloadPage, downloadTexts])),
  register: fetchedComponent(() => import('./RegisterPage.tsx').then((m) => [m.RegisterPage, registerTexts])),
}
