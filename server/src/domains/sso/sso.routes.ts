import { api } from '@acc/contract'
import { routes } from '../../http/route.ts'
import { findSsoPolicy, setLoginTypes, setSsoPolicy } from './sso.policy.ts'

export default routes(api.sso, {
  policy: ({ read }) => findSsoPolicy(read),
  setPolicy: setSsoPolicy,
  setUserPolicy: setLoginTypes,
})
