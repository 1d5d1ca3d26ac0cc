import { api } from '@acc/contract'
import { routes } from '../../http/route.ts'
import { findSsoPolicy, setLoginTypes, setSsoPolicy } from './sso.policy.ts'
import { beginSso, completeSso } from './sso.signIn.ts'

export default routes(api.sso, {
  login: beginSso,
  callback: completeSso,
  findPolicy: ({ read }) => findSsoPolicy(read),
  setPolicy: setSsoPolicy,
  setUserPolicy: setLoginTypes,
})
