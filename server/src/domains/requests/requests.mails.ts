// Mails about urgent exports that do not wait for the next notices: to everybody who can review one, and to the system
// administrators about an objection.
import { today } from '../../clock.ts'
import { findAdmins } from '../../core/people.ts'
import type { HandlerServices } from '../../core/services.ts'
import type { Tx } from '../../db/open.ts'
import { enqueueMail } from '../mails/mails.service.ts'
import { findDeciderAddresses } from './requestDeciders.queries.ts'
import type { RequestRow } from './requests.queries.ts'

/** Mails an urgent export that is complete to everybody who can review it, also to those who chose fewer mails. */
export async function mailReviewers(tx: Tx, services: HandlerServices, request: RequestRow): Promise<void> {
  for (const { name, email: to } of await findDeciderAddresses(tx, request.idx, today(services.clock)))
    await enqueueMail(tx, services, 'urgentExport', { to, name, request })
}

/** Mails the system administrators that an approver objected to an urgent export. */
export async function mailObjection(tx: Tx, services: HandlerServices, request: RequestRow): Promise<void> {
  for (const { name, email: to } of await findAdmins(tx))
    await enqueueMail(tx, services, 'urgentObjected', { to, name, request })
}
