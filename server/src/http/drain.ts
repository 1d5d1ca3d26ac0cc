// What a server does between the moment at which it is asked to end and the end of its connections: it says that it is not
// ready, so that load balancers send calls elsewhere, goes on with all calls that still come, and asks each connection to
// close behind its response.
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
