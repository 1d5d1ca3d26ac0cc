import { api } from '@acc/contract'
import { routes } from '../../http/route.ts'
import { endSession } from '../session/session.service.ts'
import { reportBlocks } from './agent.networkBlocks.ts'
import { cancelRequest, downloadOwn, listOwn, makeRequest } from './agent.requests.ts'
import { beat, findPolicy, makePortalLink, signInClient } from './agent.service.ts'
import { receiveFile } from './agent.uploads.ts'

export default routes(api.agent, {
  login: signInClient,
  logout: async (ctx) => {
    await ctx.change(async (tx) => ({ result: await endSession(tx, ctx.app, ctx.actor.sessionIdx) }))
    return {}
  },
  heartbeat: beat,
  policy: findPolicy,
  tmpToken: makePortalLink,
  request: makeRequest,
  upload: receiveFile,
  cancel: cancelRequest,
  requests: listOwn,
  download: downloadOwn,
  networkBlocks: reportBlocks,
})
