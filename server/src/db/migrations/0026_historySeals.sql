-- The history proves itself: each seal covers the rows that came since the one before, names their hashes, and is chained to it
-- and signed (docs/decisions/0061).
create table "historySeals" (
  no integer primary key check (no > 0),
  -- The last idx that the seal covers; the first one follows the seal before.
  "toIdx" bigint not null,
  rows integer not null,
  -- The earliest logDT of the rows: from it on nothing may be gone but by the retention period.
  "firstDT" timestamptz not null,
  -- For each row its idx (8 bytes) and the first 16 bytes of its SHA-256, in the order of idx.
  hashes bytea not null,
  "sealDT" timestamptz not null,
  -- SHA-256 of the hash before and of everything above.
  hash bytea not null,
  -- Ed25519 (RFC 8032) over the hash.
  signature bytea not null
);
create trigger "historySealsAppendOnly" before delete or update on "historySeals"
  for each row execute function "refuseChange"();
create trigger "historySealsKept" before truncate on "historySeals"
  for each statement execute function "refuseChange"();
