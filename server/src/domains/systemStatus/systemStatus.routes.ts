import { api } from '@acc/contract'
import { routes } from '../../http/route.ts'
import { readSamples } from './systemStatus.samples.ts'
import { readSystemStatus } from './systemStatus.service.ts'

export default routes(api.systemStatus, {
  find: ({ read, services }) => readSystemStatus(read, services),
  searchSamples: ({ read, services }) => readSamples(read, services),
})
