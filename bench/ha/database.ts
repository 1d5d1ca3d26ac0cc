// The database of a drill: one of its own on a PostgreSQL of its own, both of which end with the drill.
import { type Database, openDatabase } from '@acc/server/src/db/open.ts'
import { createDatabase, OWNER, SERVER, startPostgres, urlOf } from '@acc/server/test/postgres.ts'
import type { Drill } from './drill.ts'

/** Opens a database that was copied from `template`: as its owner, and the address for servers. */
export async function openDrillDatabase(
  drill: Drill,
  template: string,
): Promise<{ db: Database; databaseUrl: string }> {
  const { postgres, stop } = await startPostgres()
  drill.atEnd(stop)
  await createDatabase(postgres, 'drill', template)
  const connection = { ...postgres, user: OWNER, database: 'drill' }
  const db = openDatabase(connection, { warn: () => undefined }, 4)
  drill.atEnd(db.close)
  return { db, databaseUrl: urlOf({ ...connection, user: SERVER }) }
}
