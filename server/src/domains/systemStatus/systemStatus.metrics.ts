// The system status as gauges of /Metrics, for alert rules (docs/operations/alerts.yml).
import { setTimeout as wait } from 'node:timers/promises'
import { FAULT_NAMES } from '@acc/contract/labels/systemStatus'
import type { SystemStatus } from '@acc/contract/systemStatus'
import { Gauge, type Registry } from 'prom-client'
import { cacheFor } from '../../core/cacheFor.ts'
import type { Services } from '../../core/services.ts'
import { readSystemStatus } from './systemStatus.service.ts'

/** Milliseconds that a status is good for: several nodes and several scrapers read it. */
const FRESH_FOR = 10_000
/** Milliseconds that reading the status may take, so that a scraper does not take the node for lost. */
const PATIENCE = 3_000

/** Seconds since a moment. */
const ageOf = (moment: string, now: Date) => Math.max(0, (Number(now) - Date.parse(moment)) / 1000)

const FIGURES: readonly { name: string; help: string; read: (status: SystemStatus, now: Date) => number | null }[] = [
  { name: 'acc_database_bytes', help: 'Size of the database', read: ({ database }) => database.size },
  { name: 'acc_database_connections', help: 'Database connections', read: ({ database }) => database.connections },
  { name: 'acc_free_bytes', help: 'Free bytes of the file store', read: ({ files }) => files?.freeSpace ?? null },
  {
    name: 'acc_files_damaged',
    help: 'Stored files that are damaged or missing',
    read: ({ damagedFiles }) => damagedFiles.count,
  },
  { name: 'acc_mails_waiting', help: 'Mails that wait', read: ({ mail }) => mail.waiting },
  { name: 'acc_mails_failed', help: 'Mails of the last 24 hours that failed', read: ({ mail }) => mail.failed },
  { name: 'acc_licenses_used', help: 'Registered PCs', read: ({ license }) => license.useCount },
  { name: 'acc_licenses_max', help: 'PCs that the license covers', read: ({ license }) => license.maxCount },
  {
    name: 'acc_backup_age_seconds',
    help: 'How long ago the newest backup was made',
    read: ({ backup }, now) => (backup === null ? null : ageOf(backup.moment, now)),
  },
  {
    name: 'acc_backup_check_age_seconds',
    help: 'How long ago the newest backup was verified',
    read: ({ backup }, now) =>
      backup === null || backup.checkDT === null || backup.failure !== null ? null : ageOf(backup.checkDT, now),
  },
  {
    name: 'acc_history_wait_seconds',
    help: 'How long the oldest row of the history has been waiting to go out',
    read: ({ outlets }, now) =>
      Math.max(0, ...outlets.flatMap(({ waitDT }) => (waitDT === null ? [] : ageOf(waitDT, now)))),
  },
  {
    name: 'acc_history_check_seconds',
    help: 'How long ago the last verification of the history ended',
    read: ({ history }, now) => (history.checkDT === null ? null : ageOf(history.checkDT, now)),
  },
  {
    name: 'acc_history_intact',
    help: '1: the history is as it was sealed',
    read: ({ history }) => Number(history.finding === null),
  },
  {
    name: 'acc_archive_wait_seconds',
    help: 'How long ago everything was in the WAL archive',
    read: ({ archive }, now) => (archive === null || archive.throughDT === null ? null : ageOf(archive.throughDT, now)),
  },
  {
    name: 'acc_nodes',
    help: 'Nodes that report',
    read: ({ nodes }) => nodes.filter((node) => node.isSilent === 0).length,
  },
]

/** Registers the gauges. They are absent while the database cannot be read. */
export function measureSystemStatus(registry: Registry, services: Services): void {
  const { db, ...rest } = services
  const read = () => readSystemStatus(db.read, rest).catch(() => undefined)
  const late = () => wait(PATIENCE, undefined, { ref: false })
  const findRecent = cacheFor(FRESH_FOR, services.clock, () => Promise.race([read(), late()]))
  for (const { name, help, read: figureOf } of FIGURES)
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        const status = await findRecent()
        const figure = status && figureOf(status, rest.clock.now())
        this.remove()
        if (typeof figure === 'number') this.set(figure)
      },
    })
  new Gauge({
    name: 'acc_fault',
    help: '1: the fault is present',
    labelNames: ['fault'],
    registers: [registry],
    async collect() {
      const status = await findRecent()
      this.reset()
      if (status !== undefined)
        for (const fault of FAULT_NAMES) this.set({ fault }, Number(status.faults.includes(fault)))
    },
  })
}
