import { api } from '@acc/contract'
import { routes } from '../../http/route.ts'
import { createException, readExceptions, removeExceptions, updateException } from './bim.exceptions.ts'
import { createServer, readConnections, readServers, removeServers, syncServers, updateServer } from './bim.servers.ts'
import { addGroups, addUsers, readGroups, readUsers, removeGroups, removeUsers } from './bim.targets.ts'

export default routes(api.bim, {
  searchServers: readServers,
  createServer,
  updateServer,
  removeServers,
  syncServers: (ctx) => syncServers(ctx),
  searchExceptions: readExceptions,
  createException,
  updateException,
  removeExceptions,
  searchUsers: readUsers,
  addUsers,
  removeUsers,
  searchGroups: readGroups,
  addGroups,
  removeGroups,
  searchConnections: readConnections,
})
