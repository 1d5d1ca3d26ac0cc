-- The last runs of each job. pg-boss holds the schedules; the table of 1.0.0 is not used any more.
create table "jobRuns" (
  name text primary key,
  "completeDT" timestamptz(3),
  "failDT" timestamptz(3)
);
