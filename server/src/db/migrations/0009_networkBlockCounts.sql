-- How many blocked connections of a report were logged, to bound those of a device within a day.
alter table "networkBlockBatches"
  add column "deviceIdx" bigint references devices on delete set null,
  add column accepted integer not null default 0;
create index "networkBlockBatchesDevice" on "networkBlockBatches" ("deviceIdx", "receiveDT");
