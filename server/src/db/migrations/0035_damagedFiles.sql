-- Stored files whose bytes were found altered or missing, until they are intact or no row needs them (docs/decisions/0003).
create table "damagedFiles" (
  "storeName" text primary key,
  reason text not null check (reason in ('damaged', 'missing')),
  "findDT" timestamptz(3) not null
);
