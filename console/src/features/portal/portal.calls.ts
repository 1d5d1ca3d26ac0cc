// The portal's calls without their schemas, which would double the script size of the sign-in page. The contract types
// them, so a wrong method or path does not compile.
import type { account } from '@acc/contract/account'
import type { clientVersions } from '@acc/contract/clientVersions'
import type { configs } from '@acc/contract/configs'
import type { Route } from '@acc/contract/core/route'
import type { licenses } from '@acc/contract/licenses'
import type { mails } from '@acc/contract/mails'
import type { manuals } from '@acc/contract/manuals'
import type { session } from '@acc/contract/session'
import { serverAddress } from '../../kit/api/call.ts'
import type { Language } from '../../kit/texts/translate.ts'

type Ref<R extends Route, M, K> = { method: M; kind: K; path: R['path']; of?: R }
const get = <R extends Route>(path: R['path']): Ref<R, 'GET', 'json'> => ({ method: 'GET', kind: 'json', path })
const post = <R extends Route>(path: R['path']): Ref<R, 'POST', 'json'> => ({ method: 'POST', kind: 'json', path })
const download = <R extends Route>(path: R['path']): Ref<R, 'GET', 'download'> => ({
  method: 'GET',
  kind: 'download',
  path,
})

export const readConfigs = get<typeof configs.find>('/Configs')
export const readSession = get<typeof session.find>('/Account/Session')
export const login = post<typeof session.login>('/Account/Login')
export const logout = post<typeof session.logout>('/Account/Logout')
export const createTmpToken = post<typeof session.createTmpToken>('/Account/CreateTmpToken')
export const consumeTmpToken = post<typeof session.consumeTmpToken>('/Account/ConsumeTmpToken')
export const changePw = post<typeof account.changePw>('/Account/ChangePW')
export const chooseEvaluation = post<typeof licenses.chooseEvaluation>('/License/Evaluation')
export const resetPw = post<typeof account.resetPw>('/Account/ResetPW')
export const findId = post<typeof account.findId>('/Account/FindID')
export const registerOtp = post<typeof account.registerOtp>('/Account/RegisterOtp')
export const chooseOutbox = post<typeof mails.chooseOutbox>('/MailServer/EvaluationOutbox')
export const userManual = download<typeof manuals.user>('/Account/AccManual')
export const findDeployed = get<typeof clientVersions.findDeployed>('/Client/IsDeploy')
export const downloadDeployed = download<typeof clientVersions.downloadDeployed>('/Client/Download/Deploy/Web')

const OTP_MANUAL: (typeof manuals.otp)['path'] = '/Account/GetOtpManual'
/** The browser opens it by itself, so the language is part of the address. */
export const otpManualAddress = (language: Language): string => `${serverAddress()}${OTP_MANUAL}?language=${language}`
