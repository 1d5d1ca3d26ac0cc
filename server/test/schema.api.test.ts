import { readFileSync } from 'node:fs'
import { afterAll, expect, test } from 'vitest'
import { openDatabase } from '../src/db/open.ts'
import { createTestDatabase } from './database.ts'
import { SCHEMA_FILES, schemaSql, schemaTypes } from './schemaText.ts'

const STALE = 'the migrations make another schema than the one written down: run npm run db:dump'

const database = await createTestDatabase()
const { write: db, close } = openDatabase(database.connection, { warn: () => undefined })
afterAll(async () => {
  await close()
  await database.drop()
})

test('schema.sql is what the migrations make', async () => {
  expect(readFileSync(SCHEMA_FILES.sql, 'utf8'), STALE).toBe(await schemaSql(db))
})

test('schema.gen.ts is what the migrations make', async () => {
  expect(readFileSync(SCHEMA_FILES.types, 'utf8'), STALE).toBe(await schemaTypes(db))
})
