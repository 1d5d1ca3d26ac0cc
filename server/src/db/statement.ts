// The statement that every call begins with is built and compiled once, and goes to its pool directly: building and running it
// through Kysely took longer than PostgreSQL takes for it.
import {
  type Compilable,
  DummyDriver,
  type Expression,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  sql,
} from 'kysely'
import type pg from 'pg'
import type { DB } from './schema.gen.ts'

/** Runs prepared statements, each on a connection of its choice. */
export type StatementPool = Pick<pg.Pool, 'query'>

const compiler = new Kysely<DB>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
})

/** Compiles a statement of one parameter. Each connection plans it once, so the best plan must not depend on the parameter. */
export function statement<P, O extends object>(
  name: string,
  build: (db: Kysely<DB>, parameter: Expression<P>) => Compilable<O>,
): (pool: StatementPool, parameter: P) => Promise<O[]> {
  const placeholder = {}
  const { sql: text, parameters } = build(compiler, sql<P>`${placeholder}`).compile()
  return async (pool, parameter) => {
    const values = parameters.map((value) => (value === placeholder ? parameter : value))
    return (await pool.query<O>({ name, text, values })).rows
  }
}
