import { api } from '@acc/contract'
import { routes } from '../../http/route.ts'
import { searchMembers } from './authorities.queries.ts'
import {
  createAuthority,
  findAuthorityDetail,
  listAuthorities,
  removeAuthority,
  setMembers,
  updateAuthority,
} from './authorities.service.ts'

export default routes(api.authorities, {
  search: listAuthorities,
  find: findAuthorityDetail,
  create: createAuthority,
  update: updateAuthority,
  remove: removeAuthority,
  setMembers,
  searchMembers: ({ read }, filter) => searchMembers(read, filter),
})
