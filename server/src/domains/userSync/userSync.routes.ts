import { api } from '@acc/contract'
import { routes } from '../../http/route.ts'
import { readSync, runSync, setSync, testSync } from './userSync.service.ts'

export default routes(api.userSync, {
  find: (ctx) => readSync(ctx),
  set: (ctx, input) => setSync(ctx, input),
  test: (ctx, input) => testSync(ctx, input),
  run: (ctx) => runSync(ctx),
})
