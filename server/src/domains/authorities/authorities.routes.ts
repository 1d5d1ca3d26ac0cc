import { api } from '@acc/contract'
import { routes } from '../../http/route.ts'
import { searchHolders } from './authorities.queries.ts'
import {
  createAuthority,
  listAuthorities,
  readAuthority,
  removeAuthority,
  setHolders,
  updateAuthority,
} from './authorities.service.ts'

export default routes(api.authorities, {
  list: listAuthorities,
  find: readAuthority,
  create: createAuthority,
  update: updateAuthority,
  remove: removeAuthority,
  setUsers: setHolders,
  searchUsers: ({ read }, filter) => searchHolders(read, filter),
})
