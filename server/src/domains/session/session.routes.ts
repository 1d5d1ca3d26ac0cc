import { api } from '@acc/contract'
import { routes } from '../../http/route.ts'
import { findProviderLogout } from './session.providerLogout.ts'
import { endOneOfOwn, endOthersOfOwn, endOwnSession, listOwnSessions } from './session.service.ts'
import { signIn } from './session.signIn.ts'
import { consumeTmpToken, createTmpToken } from './session.tmpTokens.ts'

export default routes(api.session, {
  find: ({ actor }) => actor,
  login: signIn,
  logout: async (ctx) => {
    const endSessionUrl = await findProviderLogout(ctx.read, ctx.services, ctx.actor.sessionIdx)
    await endOwnSession(ctx)
    ctx.cookies.clearSession()
    return endSessionUrl === undefined ? {} : { endSessionUrl }
  },
  createTmpToken,
  consumeTmpToken,
  search: listOwnSessions,
  end: endOneOfOwn,
  endOthers: endOthersOfOwn,
})
