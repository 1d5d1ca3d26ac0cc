-- The server processes on this database, for the system status. Each reports every 30 seconds and removes its row when it
-- is stopped.
create table nodes (
  -- Of the process: a restarted server is another node.
  id uuid primary key,
  name text not null,
  version text not null,
  "startDT" timestamptz not null,
  "seenDT" timestamptz not null,
  memory bigint not null,
  "clockOffset" integer not null
);
