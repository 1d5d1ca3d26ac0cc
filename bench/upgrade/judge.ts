// Whether all rows of a version are still there.
import { openClient } from '@acc/server/src/backup/tables.ts'
import { type Fixture, readRows } from '@acc/server/test/upgrade/fixture.ts'
import { demand } from '../ha/judge.ts'
import { connectionOf } from './dataDir.ts'

/** What ends by itself, or is written by each start. */
const PASSING = ['tmpTokens', 'settings', 'nodes']

/** Compares the rows of a running server with those from before its upgrade; `added` tables have more of them. */
export async function judgeRows(
  dataDir: string,
  { tables }: Pick<Fixture, 'tables'>,
  added: Record<string, number> = {},
): Promise<void> {
  const client = await openClient(connectionOf(dataDir))
  const missing: string[] = []
  let count = 0
  for (const { name, columns, rows } of tables.filter((table) => !PASSING.includes(table.name))) {
    const have = new Set((await readRows(client, name, columns)).map((row) => JSON.stringify(row)))
    const gone = rows.filter((row) => !have.has(JSON.stringify(row)))
    count += rows.length
    if (gone.length > 0) missing.push(`${gone.length} of ${rows.length} in ${name}`)
    if (have.size < rows.length + (added[name] ?? 0)) missing.push(`${name} has ${have.size} rows`)
  }
  await client.end()
  demand(
    missing.length === 0,
    `of ${count} rows from before the upgrade none is missing or changed ${missing.join(', ')}`.trim(),
  )
}
