import { api } from '@acc/contract'
import { routes } from '../../http/route.ts'
import { ConfigKind } from './configTexts.format.ts'
import { readConfig, readOldConfigs, setConfig } from './configTexts.service.ts'

const { SITE_CONFIG, CLIENT_POLICY } = ConfigKind

export default routes(api.configTexts, {
  findSiteConfig: async ({ read }) => {
    const { text, revision } = await readConfig(read, SITE_CONFIG)
    return { siteConfig: text, revision }
  },
  setSiteConfig: (ctx, { siteConfig, revision }) => setConfig(ctx, SITE_CONFIG, { text: siteConfig, revision }),
  searchOldSiteConfigs: ({ read }, { idx }) => readOldConfigs(read, SITE_CONFIG, idx),
  findClientPolicy: async ({ read }) => {
    const { text, revision } = await readConfig(read, CLIENT_POLICY)
    return { clientPolicy: text, revision }
  },
  setClientPolicy: (ctx, { clientPolicy, revision }) => setConfig(ctx, CLIENT_POLICY, { text: clientPolicy, revision }),
  searchOldClientPolicies: ({ read }, { idx }) => readOldConfigs(read, CLIENT_POLICY, idx),
})
