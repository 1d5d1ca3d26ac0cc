// Inserts more rows than calls could create during a test, directly into the server's database.
import type { AccServer } from './accServer.ts'
import { withDatabase } from './serverDatabase.ts'

const AT_ONCE = 2_000

/** Inserts recent sign-ins of desktop clients, of people named `id` and a number. */
export async function addSignIns(server: AccServer, id: string, count: number): Promise<void> {
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
  await withDatabase(server, async (db) => {
    for (let at = 0; at < rows.length; at += AT_ONCE)
      await db.write
        .insertInto('signIns')
        .values(rows.slice(at, at + AT_ONCE))
        .execute()
  })
}
