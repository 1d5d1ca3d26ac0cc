// Grants the rights of rights.ts to the server's database role, and revokes all others that the role or PUBLIC has.
// Writes nothing if all rights are correct.
import { type Kysely, sql, type Transaction } from 'kysely'
import { ALL, FUNCTION_RIGHTS, READ, type Right, SEQUENCE_RIGHTS, TABLE_RIGHTS } from './rights.ts'
import type { DB } from './schema.gen.ts'

/** The schema of the job queue. Its tables and functions are pg-boss's own, which writes and deletes rows of all. */
const JOBS = 'jobs'

/** An object of the database as GRANT names it. */
type DatabaseObject = { kind: 'table' | 'sequence' | 'function'; schema: string; name: string }

/** Tables, sequences and functions: no partitions, which are reached by their table, and nothing of extensions. */
const OBJECTS = sql<DatabaseObject>`
  select case c.relkind when 'S' then 'sequence' else 'table' end as kind, n.nspname as schema, c.relname as name
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname in ('public', ${JOBS}) and c.relkind in ('r', 'p', 'S') and (n.nspname = ${JOBS} or not c.relispartition)
  union all
  select 'function', n.nspname, format('%s(%s)', p.proname, oidvectortypes(p.proargtypes))
  from pg_proc p join pg_namespace n on n.oid = p.pronamespace
  where n.nspname in ('public', ${JOBS}) and not exists (
    select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')`

/** What a role holds by itself, and everybody (0), in the words of GRANT. */
const HELD = (role: string) => sql<{ right: string; isOfAll: boolean }>`
  with role as (select oid from pg_roles where rolname = ${role})
  select lower(a.privilege_type) || held.on as right, a.grantee = 0 as "isOfAll"
  from (
    select format(' on %s "%s"."%s"', case c.relkind when 'S' then 'sequence' else 'table' end, n.nspname, c.relname) as on, c.relacl as acl
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname in ('public', ${JOBS}) and c.relkind in ('r', 'p', 'S')
    union all
    select format(' ("%s") on table "%s"."%s"', t.attname, n.nspname, c.relname), t.attacl
    from pg_attribute t join pg_class c on c.oid = t.attrelid join pg_namespace n on n.oid = c.relnamespace
    where n.nspname in ('public', ${JOBS}) and t.attacl is not null
    union all
    select format(' on function "%s"."%s"(%s)', n.nspname, p.proname, oidvectortypes(p.proargtypes)),
      coalesce(p.proacl, acldefault('f', p.proowner))
    from pg_proc p join pg_namespace n on n.oid = p.pronamespace
    where n.nspname in ('public', ${JOBS}) and not exists (
      select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')
    union all
    select format(' on schema "%s"', n.nspname), n.nspacl from pg_namespace n where n.nspname in ('public', ${JOBS})
    union all
    select format(' on database "%s"', d.datname), coalesce(d.datacl, acldefault('d', d.datdba))
    from pg_database d where d.datname = current_database()
  ) held, aclexplode(held.acl) a
  where a.grantee in (0, (select oid from role))`

const tableRights: Readonly<Record<string, readonly Right<string>[]>> = { ...TABLE_RIGHTS, kysely_migration: READ }

function rightsOn({ kind, schema, name }: DatabaseObject): string[] {
  if (kind === 'function') {
    const isGiven = schema === JOBS || FUNCTION_RIGHTS.includes(name)
    return isGiven ? [`execute on function "${schema}"."${name.replace('(', '"(')}`] : []
  }
  const object = ` on ${kind} "${schema}"."${name}"`
  if (kind === 'sequence') return ['select', ...(SEQUENCE_RIGHTS[name] ?? [])].map((right) => right + object)
  if (schema === JOBS) return ALL.map((right) => right + object)
  return (tableRights[name] ?? []).flatMap((right) => {
    if (typeof right === 'string') return [right + object]
    return Object.entries(right).flatMap(([verb, columns]) => columns.map((column) => `${verb} ("${column}")${object}`))
  })
}

/** What PUBLIC keeps: connecting, using the schema, and the queue's functions, whose schema is closed to it. */
const isLeft = (right: string) =>
  /^(connect on database|usage on schema "public"|execute on function "jobs"\.)/.test(right)

/** The statements that are missing until the role holds what it should. */
export async function findGrants(db: Kysely<DB>, role: string): Promise<string[]> {
  const { rows: objects } = await OBJECTS.execute(db)
  const { rows: held } = await HELD(role).execute(db)
  const wanted = new Set([`usage on schema "${JOBS}"`, ...objects.flatMap(rightsOn)])
  const own = new Set(held.filter(({ isOfAll }) => !isOfAll).map(({ right }) => right))
  const { rows: names } = await sql<{ name: string }>`select quote_ident(${role}) as name`.execute(db)
  const name = names[0]?.name ?? ''
  return [
    ...held.filter(({ right, isOfAll }) => isOfAll && !isLeft(right)).map(({ right }) => `revoke ${right} from public`),
    ...[...own].filter((right) => !wanted.has(right) && !isLeft(right)).map((right) => `revoke ${right} from ${name}`),
    ...[...wanted].filter((right) => !own.has(right)).map((right) => `grant ${right} to ${name}`),
  ]
}

/** Nodes that start at once wait for each other: PostgreSQL refuses two changes of one object's rights. */
const LOCK = sql`select pg_advisory_xact_lock(4276035, 2)`

/** Gives the role exactly what it should hold. */
export async function grantRights(tx: Transaction<DB>, role: string): Promise<void> {
  await LOCK.execute(tx)
  const statements = await findGrants(tx, role)
  if (statements.length > 0) await sql.raw(statements.join(';\n')).execute(tx)
}
