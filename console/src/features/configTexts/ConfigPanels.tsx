// The menus siteConfig and clientPolicy: an editor, and next to it the changes so far (spec S1 §2, §4).
import { api } from '@acc/contract'
import { call } from '../../kit/api/call.ts'
import { useApiQuery } from '../../kit/api/query.ts'
import { QueryState } from '../../kit/layout/QueryState.tsx'
import { ConfigEditor, type ConfigSource } from './ConfigEditor.tsx'

const SITE_CONFIG: ConfigSource = {
  name: 'siteConfig',
  language: 'xml',
  set: (siteConfig, revision) => call(api.configTexts.setSiteConfig, { siteConfig, revision }),
  findOld: (idx) => call(api.configTexts.searchOldSiteConfigs, { idx }),
}
const CLIENT_POLICY: ConfigSource = {
  name: 'clientPolicy',
  language: 'json',
  set: (clientPolicy, revision) => call(api.configTexts.setClientPolicy, { clientPolicy, revision }),
  findOld: (idx) => call(api.configTexts.searchOldClientPolicies, { idx }),
}

export function SiteConfigPanel() {
  const query = useApiQuery(api.configTexts.findSiteConfig, {})
  const old = useApiQuery(api.configTexts.searchOldSiteConfigs, {})
  return (
    <QueryState of={query}>
      {({ siteConfig: text, revision }) => <ConfigEditor source={SITE_CONFIG} config={{ text, revision }} old={old} />}
    </QueryState>
  )
}

export function ClientPolicyPanel() {
  const query = useApiQuery(api.configTexts.findClientPolicy, {})
  const old = useApiQuery(api.configTexts.searchOldClientPolicies, {})
  return (
    <QueryState of={query}>
      {({ clientPolicy: text, revision }) => (
        <ConfigEditor source={CLIENT_POLICY} config={{ text, revision }} old={old} />
      )}
    </QueryState>
  )
}
