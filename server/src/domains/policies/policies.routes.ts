import { api } from '@acc/contract'
import { routes } from '../../http/route.ts'
import { answerNsLookup } from './policies.nsLookup.ts'
import { findOwnerName, findPolicy, searchPolicyUsers, updatePolicy } from './policies.service.ts'

export default routes(api.policies, {
  find: findPolicy,
  findOwnerName: findOwnerName,
  searchUsers: searchPolicyUsers,
  update: updatePolicy,
  nsLookup: answerNsLookup,
})
