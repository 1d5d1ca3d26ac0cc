// The portal's calls without their schemas, which would double the script size of the sign-in page. The contract types them,
// so a wrong method or path does not compile.
import type { account } from '@acc/contract/account'
import type { clientVersions } from '@acc/contract/clientVersions'
import type { configs } from '@acc/contract/configs'
import type { licenses } from '@acc/contract/licenses'
import type { mails } from '@acc/contract/mails'
import type { manuals } from '@acc/contract/manuals'
import type { session } from '@acc/contract/session'
import { type RouteRef, serverAddress } from '../../kit/api/call.ts'
import type { Language } from '../../kit/texts/translate.ts'

export const readConfigs: RouteRef<typeof configs.get> = { method: 'GET', kind: 'json', path: '/Configs' }
export const readSession: RouteRef<typeof session.read> = { method: 'GET', kind: 'json', path: '/Account/Session' }
export const login: RouteRef<typeof session.login> = { method: 'POST', kind: 'json', path: '/Account/Login' }
export const logout: RouteRef<typeof session.logout> = { method: 'POST', kind: 'json', path: '/Account/Logout' }
export const createTmpToken: RouteRef<typeof session.createTmpToken> = {
  method: 'POST',
  kind: 'json',
  path: '/Account/CreateTmpToken',
}
export const consumeTmpToken: RouteRef<typeof session.consumeTmpToken> = {
  method: 'POST',
  kind: 'json',
  path: '/Account/ConsumeTmpToken',
}
export const changePw: RouteRef<typeof account.changePw> = { method: 'POST', kind: 'json', path: '/Account/ChangePW' }
export const chooseEvaluation: RouteRef<typeof licenses.chooseEvaluation> = {
  method: 'POST',
  kind: 'json',
  path: '/License/Evaluation',
}
export const resetPw: RouteRef<typeof account.resetPw> = { method: 'POST', kind: 'json', path: '/Account/ResetPW' }
export const findId: RouteRef<typeof account.findId> = { method: 'POST', kind: 'json', path: '/Account/FindID' }
export const registerOtp: RouteRef<typeof account.registerOtp> = {
  method: 'POST',
  kind: 'json',
  path: '/Account/RegisterOtp',
}
export const chooseOutbox: RouteRef<typeof mails.chooseOutbox> = {
  method: 'POST',
  kind: 'json',
  path: '/MailServer/EvaluationOutbox',
}
export const userManual: RouteRef<typeof manuals.user> = {
  method: 'GET',
  kind: 'download',
  path: '/Account/AccManual',
}

export const findDeployed: RouteRef<typeof clientVersions.findDeployed> = {
  method: 'GET',
  kind: 'json',
  path: '/Client/IsDeploy',
}
export const downloadDeployed: RouteRef<typeof clientVersions.downloadDeployed> = {
  method: 'GET',
  kind: 'download',
  path: '/Client/Download/Deploy/Web',
}

const OTP_MANUAL: (typeof manuals.otp)['path'] = '/Account/GetOtpManual'
/** The browser opens it by itself, so the language is part of the address. */
export const otpManualAddress = (language: Language): string => `${serverAddress()}${OTP_MANUAL}?language=${language}`
