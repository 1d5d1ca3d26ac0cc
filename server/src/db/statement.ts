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

/** Names of the statements that each connection plans once, by their texts: Kysely passes on the text alone. */
const names = new Map<string, string>()
/** Connections keep each plan, so statements beyond these are planned at each call. */
const MAX_NAMES = 100
const texts = new WeakMap<QueryId, string>()

/** Returns the text of a statement of `compiledOnce`, which plugins see the results of alone. */
export const textOfCompiled = (queryId: QueryId): string | undefined => texts.get(queryId)

function prepare(text: string): void {
  if (!names.has(text) && names.size < MAX_NAMES) names.set(text, `prepared${names.size}`)
}

/** Runs a statement that each connection plans once, so the best plan must not depend on its values. */
export async function executePrepared<O>(db: Reader, query: CompiledQuery<O>): Promise<O[]> {
  prepare(query.sql)
  return (await db.executeQuery(query)).rows
}

/**
 * Builds such a statement for later reads of a call, through Kysely. The statement names its columns, so that a newer
 * version may add others while this one serves.
 */
export function compiledOnce<P, O>(build: Build<P, O>): (db: Reader, parameter: P) => Promise<O[]> {
  const { text, queryId, bind } = compileOnce(build)
  texts.set(queryId, text)
  prepare(text)
  return async (db, parameter) => (await db.executeQuery(bind(parameter))).rows
}

/**
 * Prepares the statements above. Results come by callback: V8 keeps those of pg's own promises until it collects the
 * old objects, too.
 */
export class PreparingClient extends pg.Client {
  override query = ((text: unknown, ...rest: unknown[]) => {
    const run = (...args: unknown[]) => Reflect.apply(super.query, this, args)
    if (typeof text !== 'string' || typeof rest.at(-1) === 'function') return run(text, ...rest)
    return new Promise((resolve, reject) => {
      const done = (error: Error | null, result: unknown) => (error ? reject(error) : resolve(result))
      run({ name: names.get(text), text, values: rest[0] }, done)
    })
  }) as pg.Client['query']
}
