import { api } from '@acc/contract'
import { routes } from '../../http/route.ts'
import { answerNsLookup } from './policies.nsLookup.ts'
import { findMap, findOrigins } from './policies.origins.ts'
import { findOwnerName, findPolicy, searchPolicyUsers, updatePolicy } from './policies.service.ts'
import { findStepAuthorities } from './policies.steps.ts'

export default routes(api.policies, {
  find: findPolicy,
  findOwnerName: findOwnerName,
  findOrigins,
  findMap,
  findStepAuthorities,
  searchUsers: searchPolicyUsers,
  update: updatePolicy,
  nsLookup: answerNsLookup,
})
