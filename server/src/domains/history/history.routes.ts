import { api } from '@acc/contract'
import { routes } from '../../http/route.ts'
import { searchClientSignIns, searchTransfers } from './history.service.ts'

export default routes(api.history, {
  clientLogin: searchClientSignIns,
  fileEximport: searchTransfers,
})
