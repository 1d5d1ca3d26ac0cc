import { api } from '@acc/contract'
import { routes } from '../../http/route.ts'
import { findId, resetPassword } from './account.forgotten.ts'
import { changePassword, createQrCode, registerOtp } from './account.service.ts'

export default routes(api.account, {
  changePw: changePassword,
  resetPw: resetPassword,
  findId,
  registerOtp,
  qrCode: createQrCode,
})
