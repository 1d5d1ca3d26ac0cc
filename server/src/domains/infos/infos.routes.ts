import { api } from '@acc/contract'
import { routes } from '../../http/route.ts'
import { removeLogo, setLogo } from './infos.logos.ts'
import { readInfos, setFileRetention, setHost } from './infos.service.ts'

export default routes(api.infos, {
  find: ({ read }) => readInfos(read),
  setHostServerAddress: (ctx, { hostServerAddress }) => setHost(ctx, hostServerAddress),
  setFileRetention: (ctx, { fileRetentionDays }) => setFileRetention(ctx, fileRetentionDays),
  setLoginPageLogo: (ctx) => setLogo(ctx, 'login', ctx.file),
  setManagePageLogo: (ctx) => setLogo(ctx, 'manage', ctx.file),
  removeLoginPageLogo: (ctx) => removeLogo(ctx, 'login'),
  removeManagePageLogo: (ctx) => removeLogo(ctx, 'manage'),
})
