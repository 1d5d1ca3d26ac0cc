// Builds and compiles statements that many calls run only once: building and running one through Kysely took longer
// than PostgreSQL takes for it.
import {
  type Compilable,
  type CompiledQuery,
  DummyDriver,
  type Expression,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryId,
  sql,
} from 'kysely'
import pg from 'pg'
import type { Reader } from './open.ts'
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

/** Builds a statement with a placeholder for its one parameter. */
type Build<P, O> = (db: Kysely<DB>, parameter: Expression<P>) => Compilable<O>

/**
 * Compiles a statement of one parameter. `bind` returns it with a value in the places of the parameter. Other values
 * would stay as they were at the start, such as the day, so constants are written by `sql.lit`.
 */
function compileOnce<P, O>(build: Build<P, O>) {
  const placeholder = {}
  const compiled = build(compiler, sql<P>`${placeholder}`).compile()
  if (compiled.parameters.some((value) => value !== placeholder))
    throw new Error(`A statement that is compiled once binds another value: ${compiled.sql}`)
  const bind = (parameter: P): CompiledQuery<O> => ({
    ...compiled,
    parameters: compiled.parameters.map(() => parameter),
  })
  return { text: compiled.sql, queryId: compiled.queryId, bind }
}

/**
 * Builds a statement of one parameter that goes to its pool directly, for the start of every call. Each connection
 * plans it once, so the best plan must not depend on the parameter.
 */
export function statement<P, O extends object>(
  name: string,
  build: Build<P, O>,
): (pool: StatementPool, parameter: P) => Promise<O[]> {
  const { text, bind } = compileOnce(build)
  return async (pool, parameter) => (await pool.query<O>({ name, text, values: [...bind(parameter).parameters] })).rows
}

const texts = new WeakMap<QueryId, string>()

/** Returns the text of a statement of `compiledOnce`, which plugins see the results of alone. */
export const textOfCompiled = (queryId: QueryId): string | undefined => texts.get(queryId)

/**
 * Builds such a statement for later reads of a call, through Kysely. The statement names its columns, so that a newer
 * version may add others while this one serves.
 */
export function compiledOnce<P, O>(build: Build<P, O>): (db: Reader, parameter: P) => Promise<O[]> {
  const { text, queryId, bind } = compileOnce(build)
  texts.set(queryId, text)
  return (db, parameter) => executePrepared(db, bind(parameter))
}

/** Begins statements that are to be prepared: Kysely passes on nothing but their text. */
const PREPARED = '/* prepared */ '
/** Statements that a connection prepares at most, since it keeps their plans. Others are planned at each call. */
const MAX_PREPARED = 100

/** Runs a statement that each connection plans once, so the best plan must not depend on its values. */
export const executePrepared = async <O>(db: Reader, query: CompiledQuery<O>): Promise<O[]> =>
  (await db.executeQuery<O>({ ...query, sql: PREPARED + query.sql })).rows

/** Prepares the statements above. */
export class PreparingClient extends pg.Client {
  readonly #names = new Map<string, string>()

  #nameOf(text: string): string | undefined {
    if (!this.#names.has(text) && this.#names.size < MAX_PREPARED) this.#names.set(text, `prepared${this.#names.size}`)
    return this.#names.get(text)
  }

  override query = ((text: unknown, values?: unknown[], ...rest: unknown[]) => {
    const name = typeof text === 'string' && text.startsWith(PREPARED) ? this.#nameOf(text) : undefined
    return Reflect.apply(
      super.query,
      this,
      name === undefined ? [text, values, ...rest] : [{ name, text, values }, ...rest],
    )
  }) as pg.Client['query']
}
