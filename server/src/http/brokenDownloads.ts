// Reports broken downloads to the page. Browsers write large files to the disk by themselves, so the page learns of it
// only from the server (docs/decisions/09-requests.md).
import type { FastifyReply, FastifyRequest } from 'fastify'
import { notify } from '../core/change.ts'
import type { Actor } from '../core/context.ts'
import { asSystem } from '../core/job.ts'
import type { Services } from '../core/services.ts'

type BreakServices = Pick<Services, 'db' | 'clock' | 'log'>

/**
 * Lets the open pages of a person know if the connection closes before all of a file was sent. What a page receives by
 * itself (not a navigation) it knows of.
 */
export function announceBreak(
  services: BreakServices,
  { idx, kind }: Pick<Actor, 'idx' | 'kind'>,
  request: FastifyRequest,
  { raw }: FastifyReply,
): void {
  if (kind !== 'web' || request.headers['sec-fetch-mode'] !== 'navigate') return
  raw.once('close', () => {
    if (raw.writableFinished) return
    asSystem(services, (tx) => notify(tx, { topic: 'downloads', userIdx: idx })).catch((error: unknown) =>
      services.log.warn({ reason: String(error) }, 'a broken download was not announced'),
    )
  })
}
