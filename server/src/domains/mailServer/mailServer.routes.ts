import { api } from '@acc/contract'
import { routes } from '../../http/route.ts'
import { readMailServer, setMailServer, testMailServer } from './mailServer.service.ts'

export default routes(api.mailServer, {
  find: (ctx) => readMailServer(ctx),
  set: (ctx, input) => setMailServer(ctx, input),
  test: (ctx, input) => testMailServer(ctx, input),
})
