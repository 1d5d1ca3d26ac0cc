import { api } from '@acc/contract'
import { routes } from '../../http/route.ts'
import { endOneOfOwn, endOthersOfOwn, endOwnSession, listOwnSessions } from './session.service.ts'
import { signIn } from './session.signIn.ts'
import { consumeTmpToken, createTmpToken } from './session.tmpTokens.ts'

export default routes(api.session, {
  read: ({ actor }) => actor,
  login: signIn,
  logout: async (ctx) => {
    await endOwnSession(ctx)
    ctx.cookies.clearSession()
    return {}
  },
  createTmpToken,
  consumeTmpToken,
  list: listOwnSessions,
  end: endOneOfOwn,
  endOthers: endOthersOfOwn,
})
