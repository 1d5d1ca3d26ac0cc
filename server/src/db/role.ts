// What the role that the server works as may do with the database beyond reading and writing rows.
import { type Kysely, sql } from 'kysely'
import type { DB } from './schema.gen.ts'

/**
 * Whether the connected role can undo the protection of the history: it owns a table or the database or may become a
 * role that does, may change or empty the history, create objects, or make itself a member of other roles.
 */
export const canAlter = sql<boolean>`(
  (select rolsuper or rolcreaterole from pg_roles where rolname = current_user)
  or (select pg_has_role(datdba, 'member') from pg_database where datname = current_database())
  or has_schema_privilege('public', 'create')
  or exists (
    select from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and (
      pg_has_role(relowner, 'member')
      or relname in ('history', 'historySeals') and (
        has_table_privilege(oid, 'update, delete, truncate, trigger') or has_any_column_privilege(oid, 'update')))))`

export type Role = { name: string; canAlter: boolean }

export async function findRole(db: Kysely<DB>): Promise<Role> {
  const { rows } = await sql<Role>`select current_user as name, ${canAlter} as "canAlter"`.execute(db)
  if (rows[0] === undefined) throw new Error('the database does not name its role')
  return rows[0]
}
