import { api } from '@acc/contract'
import { routes } from '../../http/route.ts'
import { resetLicense, setIsMyPolicy, setIsSinglePC } from './users.devices.ts'
import { findUser, searchUsers } from './users.search.ts'
import { createUser, findRemoval, moveUsers, removeUsers, updateUser } from './users.service.ts'
import { resetPassword, resetTotpSecret } from './users.signIn.ts'
import { endUserSession, setDisabled, setDisabledOfMany, setExpiry } from './users.suspension.ts'

export default routes(api.users, {
  search: searchUsers,
  find: findUser,
  create: createUser,
  update: updateUser,
  setDisabled,
  setDisabledOfMany,
  setExpiry,
  resetPw: resetPassword,
  resetTotpSecret,
  resetLicense,
  setIsSinglePC,
  setIsMyPolicy,
  move: moveUsers,
  findRemoval,
  remove: removeUsers,
  endSession: endUserSession,
})
