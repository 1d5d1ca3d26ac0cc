import { api } from '@acc/contract'
import { routes } from '../../http/route.ts'
import { endSession } from '../session/session.service.ts'
import { beat, findPolicy, makePortalLink, signInClient } from './agent.service.ts'

export default routes(api.agent, {
  login: signInClient,
  logout: async (ctx) => {
    await ctx.change(async (tx) => ({ result: await endSession(tx, ctx.app, ctx.actor.sessionIdx) }))
    return {}
  },
  heartbeat: beat,
  policy: findPolicy,
  tmpToken: makePortalLink,
})
