import { api } from '@acc/contract'
import { routes } from '../../http/route.ts'
import { setExpiry } from './users.atOnce.ts'
import { resetLicense, setIsSinglePC } from './users.devices.ts'
import { resetTotpSecret } from './users.otp.ts'
import { resetPassword } from './users.passwords.ts'
import { setIsMyPolicy } from './users.policies.ts'
import { findUser, searchUsers } from './users.search.ts'

import { createUser, findRemoval, moveUsers, removeUsers, updateUser } from './users.service.ts'
import { endUserSession, setDisabled, setDisabledOfMany } from './users.suspension.ts'

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
