import { api } from '@acc/contract'
import { routes } from '../../http/route.ts'
import {
  createGroup,
  findAuthGroups,
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
  findRemoval,
  remove: removeGroup,
  setIsMyPolicy,
  setIsDmsParent,
  reorder: reorderGroups,
})
