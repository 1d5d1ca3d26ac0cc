// `npm run db:dump`: writes the migrated schema as readable SQL and as types.
import { writeFileSync } from 'node:fs'
import { openDatabase } from '../src/db/open.ts'
import { OWNER, startPostgres, TEMPLATE } from './postgres.ts'
import { SCHEMA_FILES, schemaSql, schemaTypes } from './schemaText.ts'

const { postgres, stop } = await startPostgres()
try {
  const { write: db, close } = openDatabase({ ...postgres, user: OWNER, database: TEMPLATE }, { warn: () => undefined })
  writeFileSync(SCHEMA_FILES.sql, await schemaSql(db))
  writeFileSync(SCHEMA_FILES.types, await schemaTypes(db))
  await close()
} finally {
  await stop()
}
