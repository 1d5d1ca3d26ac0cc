-- Figures of the installation over time, for the system status: a row every ten minutes, kept for 30 days.
create table "statusSamples" (
  "sampleDT" timestamptz primary key,
  -- Free bytes of the file store; null for a bucket, and while the store cannot be used.
  "filesFree" bigint,
  -- Free bytes of the disk of the embedded database; null if it is that of the files, or the database is external.
  "databaseFree" bigint,
  "mailsWaiting" integer not null,
  "jobsWaiting" integer not null,
  connections integer not null
);
