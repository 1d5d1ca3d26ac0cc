// The product's domains in the order in which they may know of each other: a module imports only modules above it.

import type { Job } from './core/job.ts'
import account from './domains/account/account.routes.ts'
import agent from './domains/agent/agent.routes.ts'
import authorities from './domains/authorities/authorities.routes.ts'
import bim from './domains/bim/bim.routes.ts'
import { bimServerJobs } from './domains/bimServer/bimServer.jobs.ts'
import bimServer from './domains/bimServer/bimServer.routes.ts'
import clientVersions from './domains/clientVersions/clientVersions.routes.ts'
import configs from './domains/configs/configs.routes.ts'
import configTexts from './domains/configTexts/configTexts.routes.ts'
import { damagedFileJobs } from './domains/damagedFiles/damagedFiles.jobs.ts'
import { dashboardJobs } from './domains/dashboard/dashboard.counts.ts'
import dashboard from './domains/dashboard/dashboard.routes.ts'
import events from './domains/events/events.routes.ts'
import groups from './domains/groups/groups.routes.ts'
import { historyJobs } from './domains/history/history.jobs.ts'
import history from './domains/history/history.routes.ts'
import infos from './domains/infos/infos.routes.ts'
import licenses from './domains/licenses/licenses.routes.ts'
import { loginPolicyJobs } from './domains/loginPolicy/loginPolicy.jobs.ts'
import loginPolicy from './domains/loginPolicy/loginPolicy.routes.ts'
import mailServer from './domains/mailServer/mailServer.routes.ts'
import { mailJobs } from './domains/mails/mails.jobs.ts'
import mails from './domains/mails/mails.routes.ts'
import manuals from './domains/manuals/manuals.routes.ts'
import { networkBlockJobs } from './domains/networkBlocks/networkBlocks.jobs.ts'
import networkBlocks from './domains/networkBlocks/networkBlocks.routes.ts'
import { noticeJobs } from './domains/notices/notices.jobs.ts'
import notices from './domains/notices/notices.routes.ts'
import policies from './domains/policies/policies.routes.ts'
import { requestJobs } from './domains/requests/requests.jobs.ts'
import requests from './domains/requests/requests.routes.ts'
import { sessionJobs } from './domains/session/session.jobs.ts'
import session from './domains/session/session.routes.ts'
import shortcuts from './domains/shortcuts/shortcuts.routes.ts'
import sso from './domains/sso/sso.routes.ts'
import { systemStatusJobs } from './domains/systemStatus/systemStatus.jobs.ts'
import systemStatus from './domains/systemStatus/systemStatus.routes.ts'
import users from './domains/users/users.routes.ts'
import type { Module } from './http/route.ts'

export const MODULES: readonly { name: string; routes?: Module; jobs?: readonly Job[] }[] = [
  { name: 'credentials' },
  { name: 'mails', routes: mails, jobs: mailJobs },
  { name: 'mailServer', routes: mailServer },
  { name: 'infos', routes: infos },
  { name: 'configTexts', routes: configTexts },
  { name: 'otp' },
  { name: 'session', routes: session, jobs: sessionJobs },
  { name: 'licenses', routes: licenses },
  { name: 'configs', routes: configs },
  { name: 'account', routes: account },
  { name: 'shortcuts', routes: shortcuts },
  { name: 'policies', routes: policies },
  { name: 'authorities', routes: authorities },
  { name: 'bim', routes: bim },
  { name: 'groups', routes: groups },
  { name: 'clientVersions', routes: clientVersions },
  { name: 'requests', routes: requests, jobs: requestJobs },
  { name: 'users', routes: users },
  { name: 'sso', routes: sso },
  { name: 'loginPolicy', routes: loginPolicy, jobs: loginPolicyJobs },
  { name: 'damagedFiles', jobs: damagedFileJobs },
  { name: 'notices', routes: notices, jobs: noticeJobs },
  { name: 'agent', routes: agent },
  { name: 'networkBlocks', routes: networkBlocks, jobs: networkBlockJobs },
  { name: 'bimServer', routes: bimServer, jobs: bimServerJobs },
  { name: 'history', routes: history, jobs: historyJobs },
  { name: 'dashboard', routes: dashboard, jobs: dashboardJobs },
  { name: 'events', routes: events },
  { name: 'manuals', routes: manuals },
  { name: 'systemStatus', routes: systemStatus, jobs: systemStatusJobs },
]
