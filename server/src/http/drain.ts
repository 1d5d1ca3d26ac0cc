// Ends a server without refusing calls: reports that it is not ready, so that load balancers send calls elsewhere,
// serves the calls that still arrive, and asks each connection to close after its response.
import type { FastifyInstance } from 'fastify'

export type Drain = {
  /** Says from now on that the server is not ready. */
  begin(): void
  isBegun(): boolean
}

declare module 'fastify' {
  interface FastifyInstance {
    drain: Drain
  }
}

export function allowDraining(http: FastifyInstance): void {
  let isBegun = false
  http.decorate('drain', {
    begin: () => {
      isBegun = true
    },
    isBegun: () => isBegun,
  })
  http.addHook('onSend', (_request, reply, _payload, done) => {
    if (isBegun) reply.header('connection', 'close')
    done()
  })
}
