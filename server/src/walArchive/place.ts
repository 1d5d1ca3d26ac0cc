// Where the archive goes on: in the series whose slot the database has, else in a new one.
import { type Kysely, sql } from 'kysely'
import type pg from 'pg'
import { BackupError, OtherKeyError } from '../backup/errors.ts'
import type { BackupKey } from '../backup/key.ts'
import type { DB } from '../db/schema.gen.ts'
import { SERVER_VERSION } from '../version.ts'
import { readChunk } from './chunks.ts'
import { type Lsn, parseLsn, segmentStart } from './lsn.ts'
import { createSlot, dropSlot, identifySystem, type System } from './replication.ts'
import { createSeries, findChunks, openSeries, removeEmptySeries, type Series, seriesOfSlot, slotOf } from './series.ts'

export type PlaceInArchive = { series: Series; slot: string; position: Lsn; through: number }

type Slot = { name: string; position: string | null }

/** The slots of archives. A slot without a position had to give up its WAL. */
async function findSlots(db: Kysely<DB>): Promise<Slot[]> {
  const { rows } = await sql<Slot>`
    select slot_name as name, case when wal_status <> 'lost' then restart_lsn::text end as position
    from pg_replication_slots where slot_name ~ '^acc_[0-9]{8}t[0-9]{9}z$' order by 1`.execute(db)
  return rows
}

/** Why a series cannot go on. */
class Interrupted extends Error {}

async function goOn({ root, key, claim }: Order, slot: Slot, system: System): Promise<PlaceInArchive> {
  if (slot.position === null) throw new Interrupted('more WAL waited for it than is kept')
  const name = seriesOfSlot(slot.name)
  const series = await openSeries(root, name, key).catch((error: unknown) => {
    throw error instanceof OtherKeyError ? new Interrupted('the key is another one') : error
  })
  if (series === undefined)
    throw new BackupError(
      `${root} does not hold the archive that this database continues (${name}): mount its disk, or start the server once without ACC_WAL_ARCHIVE_DIR to begin a new one`,
    )
  claim()
  const { systemId, timeline } = series.manifest
  if (systemId !== system.systemId || timeline !== system.timeline) throw new Interrupted('the database is another one')
  const kept = segmentStart(parseLsn(slot.position))
  const last = (await findChunks(series)).at(-1)
  if (last === undefined) return { series, slot: slot.name, position: kept, through: 0 }
  if (last.end < kept) throw new Interrupted('its last WAL is missing')
  if (last.end > system.flushed) throw new Interrupted('the database is older than its archive')
  const { through } = await readChunk(series, last).catch((error: unknown) => {
    throw error instanceof BackupError ? new Interrupted(error.message) : error
  })
  return { series, slot: slot.name, position: last.end, through }
}

async function begin(client: pg.Client, { root, key, claim, now }: Order, system: System): Promise<PlaceInArchive> {
  claim()
  await removeEmptySeries(root)
  const series = await createSeries(root, key, { version: SERVER_VERSION, now: now(), system })
  const slot = slotOf(series.name)
  await createSlot(client, slot)
  const { rows } = await client.query<{ restart_lsn: string }>(`READ_REPLICATION_SLOT ${slot}`)
  return { series, slot, position: segmentStart(parseLsn(rows[0]?.restart_lsn ?? '')), through: 0 }
}

type Order = {
  root: string
  key: BackupKey
  db: Kysely<DB>
  now: () => Date
  tell(reason: string): void
  /** Takes the folder for this process before anything is written there. Throws where another one has it. */
  claim(): void
}

/** Finds the place, and begins a new series where there is none or it was interrupted, which `tell` hears. */
export async function findPlaceInArchive(client: pg.Client, order: Order): Promise<PlaceInArchive> {
  const { db, tell } = order
  const system = await identifySystem(client)
  const slots = await findSlots(db)
  for (const slot of slots)
    try {
      return await goOn(order, slot, system)
    } catch (error) {
      if (!(error instanceof Interrupted)) throw error
      tell(error.message)
      await dropSlot(client, slot.name)
    }
  return begin(client, order, system)
}
