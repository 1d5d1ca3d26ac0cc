// The product's domains in the order in which they may know of each other: a module imports only modules above it.
import account from './account/account.routes.ts'
import { agentJobs } from './agent/agent.jobs.ts'
import agent from './agent/agent.routes.ts'
import approvals from './approvals/approvals.routes.ts'
import authorities from './authorities/authorities.routes.ts'
import configs from './configs/configs.routes.ts'
import events from './events/events.routes.ts'
import groups from './groups/groups.routes.ts'
import history from './history/history.routes.ts'
import type { Module } from './http/route.ts'
import type { Job } from './jobs/jobs.ts'
import { mailJobs } from './mails/mails.jobs.ts'
import mails from './mails/mails.routes.ts'
import policies from './policies/policies.routes.ts'
import { sessionJobs } from './session/session.jobs.ts'
import session from './session/session.routes.ts'
import users from './users/users.routes.ts'

export const MODULES: readonly { name: string; routes?: Module; jobs?: readonly Job[] }[] = [
  { name: 'credentials' },
  { name: 'mails', routes: mails, jobs: mailJobs },
  { name: 'license' },
  { name: 'configs', routes: configs },
  { name: 'session', routes: session, jobs: sessionJobs },
  { name: 'account', routes: account },
  { name: 'policies', routes: policies },
  { name: 'groups', routes: groups },
  { name: 'users', routes: users },
  { name: 'authorities', routes: authorities },
  { name: 'approvals', routes: approvals },
  { name: 'agent', routes: agent, jobs: agentJobs },
  { name: 'history', routes: history },
  { name: 'events', routes: events },
]
