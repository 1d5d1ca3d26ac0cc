// The state of a running installation for its operator: its parts, its nodes, and its faults. An addition to the
// specification.
import { z } from 'zod'
import { Empty, flag, moment } from './core/fields.ts'
import { defineRoutes, get } from './core/route.ts'
import { FAULT_NAMES, OUTLET_NAMES } from './labels/systemStatus.ts'
import { LicenseStatus } from './licenses.ts'

/** A server process. A regular stop removes it; one that fell silent is kept for a day. */
export const SystemNode = z.object({
  /** Host name and port. */
  name: z.string(),
  version: z.string(),
  startDT: moment,
  seenDT: moment,
  /** 1: no report for 90 seconds. */
  isSilent: flag,
  /** Resident memory in bytes. */
  memory: z.int(),
  /** Milliseconds by which its clock is ahead of the database's. */
  clockOffset: z.int(),
})
export type SystemNode = z.output<typeof SystemNode>

/** A job and its runs of the last 24 hours. */
export const SystemJob = z.object({
  name: z.string(),
  /** Five fields in UTC; null for a job that runs when something calls for it. */
  cron: z.string().nullable(),
  completeDT: moment.nullable(),
  failDT: moment.nullable(),
  failures: z.int(),
  waiting: z.int(),
})
export type SystemJob = z.output<typeof SystemJob>

/** A stored file whose bytes were altered or are missing: of a request, or of a client version. */
export const DamagedFile = z.object({
  fileEximportIdx: z.int().nullable(),
  version: z.string().nullable(),
  fileName: z.string(),
  reason: z.enum(['damaged', 'missing']),
  findDT: moment,
})
export type DamagedFile = z.output<typeof DamagedFile>

export const SystemStatus = z.object({
  /** Urgent ones first. */
  faults: z.array(z.enum(FAULT_NAMES)),
  database: z.object({
    version: z.string(),
    isEmbedded: flag,
    /** Bytes. */
    size: z.int(),
    connections: z.int(),
    maxConnections: z.int(),
    /** 1: the server's role owns the tables, or may otherwise change or empty the history. */
    canAlter: flag,
  }),
  /** Null while it cannot be used. */
  files: z
    .object({
      kind: z.enum(['folder', 'bucket']),
      /** Bytes; null for a bucket, which has no known limit. */
      freeSpace: z.int().nullable(),
    })
    .nullable(),
  /** Stored files that cannot be read: how many, and the ones found last. */
  damagedFiles: z.object({ count: z.int(), items: z.array(DamagedFile) }),
  /** Requests that no enabled person can decide, and urgent exports that nobody reviewed in time. */
  requests: z.object({ undecidable: z.int(), overdueReviews: z.int() }),
  mail: z.object({
    waiting: z.int(),
    /** Of the last 24 hours. */
    failed: z.int(),
    /** When the mail that has been due longest was to be sent. */
    dueDT: moment.nullable(),
    /** 1: nothing is delivered; the evaluation outbox keeps all mail. */
    isOutbox: flag,
  }),
  license: LicenseStatus.pick({ useCount: true, maxCount: true, expiry: true, isEvaluation: true, isExpired: true }),
  /** The newest backup; null if there was none. */
  backup: z
    .object({
      moment,
      /** Bytes. */
      size: z.int(),
      /** Stored files that the database named and that neither the store nor the backup before it had. */
      missing: z.int(),
      /** 1: it is on the disk of the embedded database or of the stored files. */
      isOnSameDisk: flag,
      /** When it was verified; null if it was not. */
      checkDT: moment.nullable(),
      /** Why the verification failed. */
      failure: z.string().nullable(),
    })
    .nullable(),
  /** The WAL archive of the embedded database; null where the operator has none. */
  archive: z
    .object({
      /** What was acknowledged until then can be restored; null before the first base backup is complete. */
      throughDT: moment.nullable(),
      /** When the newest base backup was complete. */
      baseDT: moment.nullable(),
      /** Stored files that are not copied yet. */
      waitingFiles: z.int(),
      /** Why the last attempt failed. */
      failure: z.string().nullable(),
      /** When it was last verified; null if it was not. */
      checkDT: moment.nullable(),
      /** Why that verification failed. */
      finding: z.string().nullable(),
    })
    .nullable(),
  /** From when on the lack of a backup is a fault. */
  backupDueDT: moment,
  /** Whether the history is as it was sealed. */
  history: z.object({
    /** When it was last verified; null if it was not. */
    checkDT: moment.nullable(),
    /** What is wrong with it. */
    finding: z.string().nullable(),
  }),
  /** Where the history goes out, as the operator has set it. */
  outlets: z.array(
    z.object({
      name: z.enum(OUTLET_NAMES),
      /** When it last took rows; null if it never did. */
      sendDT: moment.nullable(),
      /** Since when its oldest row has been waiting; null if none does. */
      waitDT: moment.nullable(),
    }),
  ),
  jobs: z.array(SystemJob),
  nodes: z.array(SystemNode),
})
export type SystemStatus = z.output<typeof SystemStatus>

/** The figures of one hour: the least reserves and the longest queues. */
export const StatusSample = z.object({
  sampleDT: moment,
  /** Free bytes of the file store; null if it is a bucket or was unavailable. */
  filesFree: z.int().nullable(),
  /** Free bytes of the embedded database's disk; null if it is that of the files. */
  databaseFree: z.int().nullable(),
  mailsWaiting: z.int(),
  jobsWaiting: z.int(),
  connections: z.int(),
})
export type StatusSample = z.output<typeof StatusSample>

export const systemStatus = defineRoutes({
  /** Returns the state of database, nodes, jobs, mail, disks and backups. */
  find: get('/SystemStatus', {
    input: Empty,
    data: SystemStatus,
    access: 'admin',
    errors: [],
    shows: ['mails', 'licenses', 'userImports', 'settings'],
    slides: false,
    assumed: true,
  }),
  /** Returns the samples of the last 30 days, the oldest first. */
  searchSamples: get('/SystemStatus/Samples', {
    input: Empty,
    data: z.object({ samples: z.array(StatusSample) }),
    access: 'admin',
    errors: [],
    shows: [],
    slides: false,
    assumed: true,
  }),
})
