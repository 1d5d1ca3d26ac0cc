// Inserts more rows than calls could create during a test, directly into the server's database.
import { choosePlace, SOCKET_PORT, socketHost } from '../server/src/db/embedded/place.ts'
import { openDatabase } from '../server/src/db/open.ts'
import type { AccServer } from './accServer.ts'

const AT_ONCE = 2_000

/** Inserts recent sign-ins of desktop clients, of people named `id` and a number. */
export async function addSignIns({ dataDir }: AccServer, id: string, count: number): Promise<void> {
  const { host, close } = socketHost(choosePlace(dataDir).directory)
  const log = { warn: () => undefined }
  const db = openDatabase({ host, port: SOCKET_PORT, user: 'acc', database: 'acc' }, log, 1)
  const loginDT = new Date()
  const rows = Array.from({ length: count }, (_, at) => ({
    kind: 'client' as const,
    loginDT,
    userId: `${id}${at}`,
    userName: `사용자 ${at}`,
    userGroupName: '전체 조직',
    groupIdx: 1,
    ip: '10.0.0.1',
    userRole: 2 as const,
    type: 0 as const,
  }))
  for (let at = 0; at < rows.length; at += AT_ONCE)
    await db.write
      .insertInto('signIns')
      .values(rows.slice(at, at + AT_ONCE))
      .execute()
  await db.close()
  close()
}
