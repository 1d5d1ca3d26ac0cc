// Migration of an outside database by the operator, so that servers never hold the password of the role that owns it.

import { openDatabase } from '../db/open.ts'
import { readEnv } from '../env.ts'
import { prepareDatabase } from '../prepareDatabase.ts'
import { type Command, failure } from './commandLine.ts'
import { SILENT } from './openForAdmin.ts'

export const migrateCommand: Command = {
  args: [],
  options: [],
  async run() {
    const env = readEnv(process.env)
    const { databaseUrl, databaseOwnerUrl, logRetentionDays } = env
    if (databaseUrl === undefined || databaseOwnerUrl === undefined)
      throw failure('Set ACC_DATABASE_URL as for the server, and ACC_DATABASE_OWNER_URL: both lead to one database.')
    const db = openDatabase({ connectionString: databaseUrl }, SILENT, 1)
    const owner = openDatabase({ connectionString: databaseOwnerUrl }, SILENT, 1)
    try {
      const { applied, newer } = await prepareDatabase(db, owner, env, SILENT)
      const [newest] = newer
      const lines = [
        newest === undefined
          ? 'The schema is that of this version, and the role of the server has its rights.'
          : `The database is of a newer version (${newest}): nothing was changed.`,
        ...applied.map((name) => `  ${name}`),
        ...(newest === undefined ? [`  Histories are kept for ${logRetentionDays} days at least.`] : []),
      ]
      return { document: { applied, newer, logRetentionDays }, lines }
    } finally {
      await db.close()
      await owner.close()
    }
  },
}
