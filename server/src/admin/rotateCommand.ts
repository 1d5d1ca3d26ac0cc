// The rotation of the secret key for the operator.
import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { systemClock } from '../clock.ts'
import { findNextKey, findSecretKey, nextKeyFile, SecretKeyError } from '../crypto/secretKey.ts'
import { TRY_BACKUP_LOCK } from '../db/backupLock.ts'
import type { Database } from '../db/open.ts'
import { readEnv, secretKeySource } from '../env.ts'
import { findKeyNames } from '../settings/keyRing.ts'
import { type Command, failure } from './commandLine.ts'
import { withDatabase } from './openForAdmin.ts'
import { type Keys, resealAll, rotate } from './rotation.ts'

/** Milliseconds between two checks while the rotation waits. */
const PAUSE = 1_000

type Names = Awaited<ReturnType<typeof findKeyNames>>
type KeyArguments = { present: Keys['from'] | undefined; next: Keys['to'] | undefined; nextFile: string }

/** Returns the keys of a rotation that begins or continues, or 'done'. Rejects wrong and missing keys. */
function keysOf(
  { current, next: begun }: Names,
  { present, next, nextFile }: KeyArguments,
): Keys & { isDone: boolean } {
  if (next === undefined) throw failure(`There is no next key: put it in ${nextFile}, or set ACC_SECRET_KEY_NEXT.`)
  if (present === undefined || present.fingerprint === next.fingerprint)
    throw failure('The present key is missing, or the next key is the same: both are needed.')
  const keys = { from: present, to: next, isDone: next.fingerprint === current }
  if (keys.isDone) return keys
  if (present.fingerprint !== current)
    throw failure(`The database is sealed with the key ${current}, not with the present one, ${present.fingerprint}.`)
  if (begun !== undefined && begun !== next.fingerprint)
    throw failure(`A rotation to the key ${begun} is under way, not to ${next.fingerprint}: put that one back.`)
  return keys
}

/** Runs work while no backup and no other rotation runs. */
const alone = <T>(db: Database, work: () => Promise<T>): Promise<T> =>
  db.write.connection().execute(async (connection) => {
    const { rows } = await sql<{ isTaken: boolean }>`${sql.raw(TRY_BACKUP_LOCK)}`.execute(connection)
    if (rows[0]?.isTaken !== true) throw failure('A backup is being made, or another rotation is under way.')
    try {
      return await work()
    } finally {
      await sql`select pg_advisory_unlock_all()`.execute(connection)
    }
  })

const explained = (error: unknown): never => {
  throw error instanceof SecretKeyError ? failure(error.message) : error
}

export const rotateKey: Command = {
  args: [],
  options: [],
  async run() {
    const env = readEnv(process.env)
    const source = secretKeySource(env)
    const present = await findSecretKey(source).catch(explained)
    const next = await findNextKey(source).catch(explained)
    return withDatabase(env, async (db) => {
      const given = { present, next, nextFile: nextKeyFile(source) }
      const { isDone, ...keys } = keysOf(await findKeyNames(db.read), given)
      const rotation = { db, clock: systemClock, keys, pause: () => wait(PAUSE) }
      const { sealed, lost } = await alone(db, () => (isDone ? resealAll(rotation) : rotate(rotation)))
      const lines = [
        `Everything is sealed with the key ${keys.to.fingerprint} now: ${sealed} values were sealed anew.`,
        ...(lost > 0
          ? [`  ${lost} values open with neither key, as before: they were altered, or sealed with another one.`]
          : []),
        '  Run it once more, then put the next key in the place of the present one on every node.',
        `  Keep the previous key, ${keys.from.fingerprint}, apart: it opens the backups made until now.`,
      ]
      return { document: { from: keys.from.fingerprint, to: keys.to.fingerprint, sealed, lost }, lines }
    })
  },
}
