// What the server is doing, for load balancers: they send calls while it serves. While it drains, it serves the calls
// that still arrive, and asks each connection to close after its response.
import type { FastifyInstance } from 'fastify'

declare module 'fastify' {
  interface FastifyInstance {
    phase: { now: 'starting' | 'serving' | 'draining' }
  }
}

export function addPhase(http: FastifyInstance): void {
  http.decorate('phase', { now: 'starting' })
  http.addHook('onSend', (_request, reply, _payload, done) => {
    if (http.phase.now === 'draining') reply.header('connection', 'close')
    done()
  })
}
