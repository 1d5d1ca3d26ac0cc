import { api } from '@acc/contract'
import { routes } from '../../http/route.ts'
import { downloadDeployed, findDeployedClient } from '../clientVersions/clientVersions.service.ts'
import { endOwnSession } from '../session/session.service.ts'
import { createPortalLink, findPolicy, heartbeat, signInClient } from './agent.service.ts'

export default routes(api.agent, {
  login: signInClient,
  logout: endOwnSession,
  heartbeat,
  findPolicy: findPolicy,
  findClient: async ({ read }) => ({ client: await findDeployedClient(read) }),
  downloadClient: downloadDeployed,
  tmpToken: createPortalLink,
})
