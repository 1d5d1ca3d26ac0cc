import { api } from '@acc/contract'
import { routes } from '../../http/route.ts'
import { changePassword } from './account.service.ts'

export default routes(api.account, {
  changePw: changePassword,
})
