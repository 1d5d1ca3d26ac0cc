// Where a call comes from, as throttles, sign-in log and history keep it.
import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'

/** Returns an IPv4 address as IPv4 if the system reports it inside IPv6. */
export const plain = (address: string) => address.replace(/^::ffff:(?=\d+\.)/i, '')

/** Returns the caller's address, or the connection's if the proxy forwards none (`unknown`, RFC 7239 section 6.2). */
export const addressOf = (request: Pick<FastifyRequest, 'ip' | 'socket'>): string =>
  plain(isIP(request.ip) === 0 ? (request.socket.remoteAddress ?? '') : request.ip)
