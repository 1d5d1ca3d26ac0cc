import { api } from '@acc/contract'
import { routes } from '../../http/route.ts'
import {
  createGroup,
  findAuthGroups,
  findManagers,
  findRemoval,
  removeGroup,
  reorderGroups,
  setIsDmsParent,
  setIsMyPolicy,
  updateGroup,
} from './groups.service.ts'

export default routes(api.groups, {
  searchAuthGroups: findAuthGroups,
  create: createGroup,
  update: updateGroup,
  findManagers,
  findRemoval,
  remove: removeGroup,
  setIsMyPolicy,
  setIsDmsParent,
  reorder: reorderGroups,
})
