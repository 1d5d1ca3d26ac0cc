// The product's domains in order: a module imports only modules above it.
import type { Api } from '@acc/contract'
import type { Job } from './core/job.ts'
import { absenceJobs } from './domains/absences/absences.jobs.ts'
import absences from './domains/absences/absences.routes.ts'
import account from './domains/account/account.routes.ts'
import agent from './domains/agent/agent.routes.ts'
import authorities from './domains/authorities/authorities.routes.ts'
import bim from './domains/bim/bim.routes.ts'
import bimServer from './domains/bimServer/bimServer.routes.ts'
import { bimServerJobs } from './domains/bimServer/bimServer.service.ts'
import clientVersions from './domains/clientVersions/clientVersions.routes.ts'
import configs from './domains/configs/configs.routes.ts'
import configTexts from './domains/configTexts/configTexts.routes.ts'
import { damagedFileJobs } from './domains/damagedFiles/damagedFiles.jobs.ts'
import { dashboardJobs } from './domains/dashboard/dashboard.counts.ts'
import dashboard from './domains/dashboard/dashboard.routes.ts'
import { endJobs } from './domains/ends/ends.jobs.ts'
import ends from './domains/ends/ends.routes.ts'
import events from './domains/events/events.routes.ts'
import groups from './domains/groups/groups.routes.ts'
import { historyJobs } from './domains/history/history.jobs.ts'
import history from './domains/history/history.routes.ts'
import infos from './domains/infos/infos.routes.ts'
import licenses from './domains/licenses/licenses.routes.ts'
import { loginPolicyJobs } from './domains/loginPolicy/loginPolicy.reminders.ts'
import loginPolicy from './domains/loginPolicy/loginPolicy.routes.ts'
import mailServer from './domains/mailServer/mailServer.routes.ts'
import { mailJobs } from './domains/mails/mails.delivery.ts'
import mails from './domains/mails/mails.routes.ts'
import manuals from './domains/manuals/manuals.routes.ts'
import networkBlocks from './domains/networkBlocks/networkBlocks.routes.ts'
import { networkBlockJobs } from './domains/networkBlocks/networkBlocks.service.ts'
import { noticeJobs } from './domains/notices/notices.jobs.ts'
import notices from './domains/notices/notices.routes.ts'
import policies from './domains/policies/policies.routes.ts'
import { requestJobs } from './domains/requests/requests.jobs.ts'
import requests from './domains/requests/requests.routes.ts'
import session from './domains/session/session.routes.ts'
import { sessionJobs } from './domains/session/session.service.ts'
import shortcuts from './domains/shortcuts/shortcuts.routes.ts'
import sso from './domains/sso/sso.routes.ts'
import { systemStatusJobs } from './domains/systemStatus/systemStatus.mails.ts'
import systemStatus from './domains/systemStatus/systemStatus.routes.ts'
import urgentExports from './domains/urgentExports/urgentExports.routes.ts'
import { userImportJobs } from './domains/userImports/userImports.jobs.ts'
import userImports from './domains/userImports/userImports.routes.ts'
import userSync from './domains/userSync/userSync.routes.ts'
import { userSyncJobs } from './domains/userSync/userSync.runs.ts'
import users from './domains/users/users.routes.ts'
import type { Module } from './http/route.ts'

type Domain = { routes?: Module; jobs?: readonly Job[] }
/** Every domain of the contract has its calls here. */
type WithCalls = Record<keyof Api, Domain & { routes: Module }>
type WithoutCalls = Record<'credentials' | 'otp' | 'damagedFiles', Domain>

export const MODULES: Readonly<WithCalls & WithoutCalls> = {
  credentials: {},
  mails: { routes: mails, jobs: mailJobs },
  mailServer: { routes: mailServer },
  infos: { routes: infos },
  configTexts: { routes: configTexts },
  otp: {},
  session: { routes: session, jobs: sessionJobs },
  licenses: { routes: licenses },
  configs: { routes: configs },
  account: { routes: account },
  shortcuts: { routes: shortcuts },
  policies: { routes: policies },
  authorities: { routes: authorities },
  ends: { routes: ends, jobs: endJobs },
  bim: { routes: bim },
  groups: { routes: groups },
  clientVersions: { routes: clientVersions },
  requests: { routes: requests, jobs: requestJobs },
  urgentExports: { routes: urgentExports },
  users: { routes: users },
  userImports: { routes: userImports, jobs: userImportJobs },
  userSync: { routes: userSync, jobs: userSyncJobs },
  sso: { routes: sso },
  loginPolicy: { routes: loginPolicy, jobs: loginPolicyJobs },
  damagedFiles: { jobs: damagedFileJobs },
  notices: { routes: notices, jobs: noticeJobs },
  absences: { routes: absences, jobs: absenceJobs },
  agent: { routes: agent },
  networkBlocks: { routes: networkBlocks, jobs: networkBlockJobs },
  bimServer: { routes: bimServer, jobs: bimServerJobs },
  history: { routes: history, jobs: historyJobs },
  dashboard: { routes: dashboard, jobs: dashboardJobs },
  events: { routes: events },
  manuals: { routes: manuals },
  systemStatus: { routes: systemStatus, jobs: systemStatusJobs },
}
