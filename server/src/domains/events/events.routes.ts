import { api } from '@acc/contract'
import { routes } from '../../http/route.ts'
import { followEvents } from './events.service.ts'

export default routes(api.events, {
  stream: (ctx) => followEvents(ctx),
})
