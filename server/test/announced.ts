// Events of some work: `expect(await announced(app, () => dropOldMails(app))).toContainEqual({ topic: 'mails' })`.
import { sql } from 'kysely'
import type { Services } from '../src/core/services.ts'
import type { HubEvent } from '../src/events/eventHub.ts'

const END: HubEvent = { topic: 'end of the work' }

/** Returns all events until the work ends, in their order. */
export async function announced({ db, events }: Services, work: () => Promise<unknown>): Promise<HubEvent[]> {
  const received: HubEvent[] = []
  const ended = Promise.withResolvers<void>()
  const stop = events.subscribe((event) => void (event.topic === END.topic ? ended.resolve() : received.push(event)))
  await work()
  // Notifications arrive in the order of their commits.
  await sql`select pg_notify('acc', ${JSON.stringify(END)})`.execute(db.write)
  await ended.promise
  stop()
  return received
}
