// BIM servers for tests: registered by an administrator's call, reporting from this host.
import type { Api } from '@acc/contract'
import type { Client } from '@acc/contract/core/client'

let built = 0

/** Registers a BIM server; only one can have the address of the tests, 127.0.0.1, at a time. */
export async function buildBimServer(calls: Client<Api>, { ip = '127.0.0.1', id }: { ip?: string; id?: string } = {}) {
  const pcName = `BIM-${++built}`
  const created = await calls.bim.createServer({ pcName, ip, ...(id !== undefined && { id }) })
  return { ...created, pcName, ip }
}
