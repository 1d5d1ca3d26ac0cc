// Statements that every call makes in one and the same form: the database keeps their plans, a connection at a time, since
// planning takes it several times as long as running them (looking up a session: 0.5 of 0.56 ms). Only for statements whose
// best plan does not hang on their parameters: a search for a part of a text is none.
import { type PostgresPool, type PostgresPoolClient, sql } from 'kysely'
import type pg from 'pg'

/** Marks such a statement: `db.selectFrom(...).modifyFront(PREPARED)`. */
export const PREPARED = sql`/* prepared */`
const MARK = 'select /* prepared */'

const names = new Map<string, string>()
function nameOf(text: string): string {
  const name = names.get(text) ?? `prepared${names.size}`
  names.set(text, name)
  return name
}

/** The pool as Kysely uses it, with the marked statements prepared. */
export const preparing = (pool: pg.Pool): PostgresPool => ({
  options: pool.options,
  connect: async () => preparingClient(await pool.connect()),
  end: () => pool.end(),
})

function preparingClient(client: pg.PoolClient): PostgresPoolClient {
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
