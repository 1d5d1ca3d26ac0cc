-- How far the history has gone out, for each outlet and each table that it sends (docs/decisions/0068).
create table "historyOutlets" (
  outlet text not null check (outlet in ('syslog', 'file')),
  source text not null check (source in ('history', 'signIns', 'historySeals')),
  -- The number of the last row that the outlet surely has.
  "toIdx" bigint not null,
  "sendDT" timestamptz not null,
  primary key (outlet, source)
);
