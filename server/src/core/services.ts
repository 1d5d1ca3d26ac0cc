// Everything outside of a request that handlers and jobs work with, made once at start and handed around as one value:
// the operator's settings, the database, time, files, mail, jobs, live events and the log.
import type { Logger } from 'pino'
import type { Clock } from '../clock.ts'
import type { SecretKey } from '../crypto/secretKey.ts'
import type { Locks } from '../db/locks.ts'
import type { Database } from '../db/open.ts'
import type { Env } from '../env.ts'
import type { EventHub } from '../events/eventHub.ts'
import type { FileStore } from '../files/fileStore.ts'
import type { Jobs } from '../jobs/jobs.ts'
import type { MailTransport } from '../mail/transport.ts'
import type { WalArchive } from './walArchive.ts'

export type Services = {
  env: Env
  db: Database
  clock: Clock
  /** Wraps the secrets at rest. */
  key: SecretKey
  /** Locks that outlast a transaction, across all nodes. */
  locks: Locks
  files: FileStore
  mail: MailTransport
  jobs: Jobs
  events: EventHub
  /** Undefined without ACC_WAL_ARCHIVE_DIR. */
  walArchive: WalArchive | undefined
  log: Logger
  /** A call that breaks its contract, for example by an undeclared error, fails. Otherwise the breach is logged. */
  isStrict: boolean
}

/** The services of handlers. They reach the database only by their context's `read`, `change` and `record`. */
export type HandlerServices = Omit<Services, 'db'>
