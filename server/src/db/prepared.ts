// Prepared statements through Kysely, which does not name its statements: the connections of a pool name those that carry a mark.
// A prepared statement is planned once a connection, so it must be one whose best plan does not depend on its parameters; a
// search for a part of a text is not.
import { type PostgresPool, type PostgresPoolClient, sql } from 'kysely'
import type pg from 'pg'

/** Marks such a statement: `db.selectFrom(...).modifyFront(PREPARED)`. */
export const PREPARED = sql`/* prepared */`
const MARK = 'select /* prepared */'

const names = new Map<string, string>()
function nameOf(text: string): string {
  const known = names.get(text)
  if (known !== undefined) return known
  const name = `prepared${names.size}`
  names.set(text, name)
  return name
}

function nameStatements(client: pg.PoolClient): PostgresPoolClient {
  const plain: PostgresPoolClient = client
  return new Proxy(plain, {
    get: (target, property) => {
      if (property !== 'query') return Reflect.get(target, property)
      return (text: unknown, values: unknown[]) =>
        typeof text === 'string' && text.startsWith(MARK)
          ? client.query({ name: nameOf(text), text, values })
          : Reflect.apply(target.query, target, [text, values])
    },
  })
}

/** A pool for Kysely whose connections prepare the marked statements. */
export function preparing(pool: pg.Pool): PostgresPool {
  // Kysely keeps what it knows of a connection by its object.
  const clients = new WeakMap<pg.PoolClient, PostgresPoolClient>()
  return {
    options: pool.options,
    connect: async () => {
      const client = await pool.connect()
      const known = clients.get(client) ?? nameStatements(client)
      clients.set(client, known)
      return known
    },
    end: () => pool.end(),
  }
}
