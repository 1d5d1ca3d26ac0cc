// Where the faults of an installation begin. Free of zod.

/** Where the faults begin: decided by the server, and shown next to the figures. */
export const THRESHOLDS = {
  /** Percent of the connections that the database allows. */
  connections: 80,
  /** Seconds between two clocks; one-time passwords allow for 30. */
  clock: 5,
  /** Seconds without a report, three of them, after which a node is silent. */
  silence: 90,
  /** Gigabytes of free space, below which an operator should act. */
  lowSpace: 10,
  /** Gigabytes that uploads leave to the database on the same volume. */
  reservedSpace: 1,
  /** Minutes for which a mail or a job may be late. */
  delay: 60,
  /** Percent of the licenses. */
  licenses: 90,
  /** Days before a license expires. */
  licenseExpiry: 30,
  /** Days since the newest backup. */
  backupAge: 7,
  /** Minutes for which the WAL may wait to be archived, and stored files: a large one takes its time. */
  archiveDelay: 5,
  archivedFileDelay: 60,
  /** Minutes for which the oldest row of the history may wait to go out. */
  outletDelay: 15,
} as const
