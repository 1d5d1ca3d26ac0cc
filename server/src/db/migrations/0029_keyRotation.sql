-- Which secret keys a node holds, by their fingerprints, and with which one it has sealed since its report before
-- (docs/decisions/0069). Nodes of an earlier version hold none, so that no rotation begins while one runs.
alter table nodes
  add column keys text[] not null default '{}',
  add column "sealsWith" text not null default '';
