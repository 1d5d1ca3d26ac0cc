// Table of contents: every call of the product by domain.
import { absences } from './absences.ts'
import { account } from './account.ts'
import { agent } from './agent.ts'
import { authorities } from './authorities.ts'
import { bim } from './bim.ts'
import { bimServer } from './bimServer.ts'
import { clientVersions } from './clientVersions.ts'
import { configs } from './configs.ts'
import { configTexts } from './configTexts.ts'
import type { NoAudit, Route } from './core/route.ts'
import { dashboard } from './dashboard.ts'
import { ends } from './ends.ts'
import { events } from './events.ts'
import { groups } from './groups.ts'
import type { AuditKind } from './history/kinds.ts'
import { history } from './history/routes.ts'
import { infos } from './infos.ts'
import { licenses } from './licenses.ts'
import { loginPolicy } from './loginPolicy.ts'
import { mailServer } from './mailServer.ts'
import { mails } from './mails.ts'
import { manuals } from './manuals.ts'
import { networkBlocks } from './networkBlocks.ts'
import { notices } from './notices.ts'
import { policies } from './policies.ts'
import { requests } from './requests.ts'
import { session } from './session.ts'
import { shortcuts } from './shortcuts.ts'
import { sso } from './sso.ts'
import { systemStatus } from './systemStatus.ts'
import { urgentExports } from './urgentExports.ts'
import { userImports } from './userImports.ts'
import { userSync } from './userSync.ts'
import { users } from './users.ts'

/** A call whose history is of known kinds. */
type Audited = Pick<Route, 'path'> & { audit?: AuditKind | readonly AuditKind[] | NoAudit }

export const api = {
  configs,
  session,
  account,
  users,
  userImports,
  userSync,
  sso,
  loginPolicy,
  groups,
  shortcuts,
  policies,
  authorities,
  ends,
  requests,
  urgentExports,
  clientVersions,
  notices,
  absences,
  history,
  dashboard,
  agent,
  networkBlocks,
  licenses,
  bim,
  bimServer,
  mails,
  mailServer,
  configTexts,
  infos,
  systemStatus,
  manuals,
  events,
} satisfies Record<string, Record<string, Audited>>
export type Api = typeof api
