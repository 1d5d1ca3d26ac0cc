// Prepared statements through Kysely, which does not name its statements: the connections of a pool name those that carry a mark.
// A prepared statement is planned once a connection, so it must be one whose best plan does not depend on its parameters; a
// search for a part of a text is not. A newer version of the server may add columns meanwhile: a statement that reads all of them
// then has to be prepared anew.
import { type PostgresPool, type PostgresPoolClient, sql } from 'kysely'
import type pg from 'pg'
import { isStale } from './constraints.ts'

/** Marks such a statement: `db.selectFrom(...).modifyFront(PREPARED)`. */
export const PREPARED = sql`/* prepared */`
const MARK = 'select /* prepared */'

const names = new Map<string, string>()
let named = 0
function nameOf(text: string): string {
  const known = names.get(text)
  if (known !== undefined) return known
  const name = `prepared${named++}`
  names.set(text, name)
  return name
}

/** Runs a statement by its name, once more under a new one where its columns changed, unless a transaction has failed by that. */
async function queryByName(client: pg.PoolClient, text: string, values: unknown[]): Promise<pg.QueryResult> {
  const name = nameOf(text)
  try {
    return await client.query({ name, text, values })
  } catch (error) {
    if (!isStale(error)) throw error
    if (names.get(text) === name) names.delete(text)
    return await client.query({ name: nameOf(text), text, values }).catch(() => Promise.reject(error))
  }
}

const isWhole = (value: unknown) => Number.isSafeInteger(value)
/** Lists of keys as PostgreSQL reads them. The driver quotes them one by one, which for a hundred groups took longer than the rows. */
const written = (value: unknown): unknown =>
  Array.isArray(value) && value.every(isWhole) ? `{${value.join(',')}}` : value

function nameStatements(client: pg.PoolClient): PostgresPoolClient {
  const plain: PostgresPoolClient = client
  return new Proxy(plain, {
    get: (target, property) => {
      if (property !== 'query') return Reflect.get(target, property)
      return (text: unknown, given: readonly unknown[]) => {
        const values = given.map(written)
        return typeof text === 'string' && text.startsWith(MARK)
          ? queryByName(client, text, values)
          : Reflect.apply(target.query, target, [text, values])
      }
    },
  })
}

/** A pool for Kysely whose connections prepare the marked statements. `connect` takes a connection. */
export function preparing(pool: pg.Pool, connect = () => pool.connect()): PostgresPool {
  // Kysely keeps what it knows of a connection by its object.
  const clients = new WeakMap<pg.PoolClient, PostgresPoolClient>()
  return {
    options: pool.options,
    connect: async () => {
      const client = await connect()
      const known = clients.get(client) ?? nameStatements(client)
      clients.set(client, known)
      return known
    },
    end: () => pool.end(),
  }
}
