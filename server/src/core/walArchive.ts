// What the server knows of its WAL archive (server/src/walArchive), which is loaded only where there is one.

export type ArchiveStatus = {
  /** What was acknowledged until then can be restored; null before the first base backup is complete. */
  throughDT: Date | null
  /** When the newest base backup was complete. */
  baseDT: Date | null
  /** Stored files that wait to be copied, and since when the first of them does. */
  waitingFiles: number
  fileWaitDT: Date | null
  /** Why the last attempt failed. */
  failure: string | null
  /** When this process began. */
  startDT: Date
}

export type WalArchive = {
  status(): ArchiveStatus
  /** A stored file is complete. */
  addFile(name: string): void
}
