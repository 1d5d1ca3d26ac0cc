import { api } from '@acc/contract'
import { routes } from '../../http/route.ts'
import { findUser, searchUsers } from './users.search.ts'
import { createUser, moveUsers, removeUsers, updateUser } from './users.service.ts'
import {
  endUserSession,
  resetLicense,
  resetPassword,
  setDisabled,
  setIsMyPolicy,
  setIsSinglePC,
} from './users.states.ts'

export default routes(api.users, {
  search: searchUsers,
  find: findUser,
  create: createUser,
  update: updateUser,
  setDisabled,
  resetPw: resetPassword,
  resetLicense,
  setIsSinglePC,
  setIsMyPolicy,
  move: moveUsers,
  remove: removeUsers,
  endSession: endUserSession,
})
