import { api } from '@acc/contract'
import { routes } from '../../http/route.ts'
import { downloadRequest } from './approvals.download.ts'
import { decideRequest, findRequestDetail, searchRequests } from './approvals.service.ts'

export default routes(api.approvals, {
  search: searchRequests,
  find: (ctx, { idx }) => findRequestDetail(ctx, idx),
  decide: decideRequest,
  download: downloadRequest,
})
