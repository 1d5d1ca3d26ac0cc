import { api } from '@acc/contract'
import { routes } from '../../http/route.ts'
import { listVersions } from './clientVersions.queries.ts'
import {
  deployVersion,
  downloadDeployed,
  downloadVersion,
  findDeployedClient,
  removeVersion,
  uploadVersion,
} from './clientVersions.service.ts'

export default routes(api.clientVersions, {
  search: ({ read }, filter) => listVersions(read, filter),
  upload: uploadVersion,
  findDeployed: async ({ read }) => ({ client: await findDeployedClient(read) }),
  deploy: deployVersion,
  remove: removeVersion,
  download: downloadVersion,
  downloadDeployed,
})
