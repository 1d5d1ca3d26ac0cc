-- When the jobs that have a time come round, by the database's clock (docs/decisions/0087). The job queue's own schedules are
-- left to the version before.
create table schedules (
  name text primary key,
  cron text not null,
  "nextDT" timestamptz(3) not null
);
