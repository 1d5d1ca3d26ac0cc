import { api } from '@acc/contract'
import { flagOf } from '@acc/contract/enums'
import { fail } from '../../core/errors.ts'
import { routes } from '../../http/route.ts'
import { findOpenSessions } from './session.queries.ts'
import { consumeTmpToken, createTmpToken, endOtherSessions, endSession, signIn } from './session.service.ts'

export default routes(api.session, {
  read: ({ actor }) => actor,
  login: async (ctx, { id, pw }) => {
    ctx.cookies.setSession(await signIn(ctx, { id, pw }, ctx.cookies.session))
    return {}
  },
  logout: async (ctx) => {
    await ctx.change(async (tx) => ({ result: await endSession(tx, ctx.app, ctx.actor.sessionIdx) }))
    ctx.cookies.clearSession()
    return {}
  },
  createTmpToken,
  consumeTmpToken: async (ctx, { tmpToken }) => {
    ctx.cookies.setSession(await consumeTmpToken(ctx, tmpToken, ctx.cookies.session))
    return {}
  },
  list: async ({ actor, read }) => {
    const sessions = await findOpenSessions(read, actor.idx)
    return { sessions: sessions.map((one) => ({ ...one, isCurrent: flagOf(one.idx === actor.sessionIdx) })) }
  },
  end: async (ctx, { idx }) => {
    const own = await findOpenSessions(ctx.read, ctx.actor.idx)
    if (!own.some((one) => one.idx === idx)) fail('NOT_ALLOWED')
    await ctx.change(async (tx) => ({ result: await endSession(tx, ctx.app, idx) }))
    return {}
  },
  endOthers: endOtherSessions,
})
