-- What the dashboard shows of the whole organization, counted in advance in quarters of an hour, which every time zone is a
-- multiple of. A job fills it in; quarters that it has not reached are counted from the rows (docs/decisions/0047).
create table "activityCounts" (
  "startDT" timestamptz primary key,
  "signIns" integer not null,
  exports integer not null,
  "exportSize" bigint not null,
  imports integer not null,
  "importSize" bigint not null
);

-- Counting for some groups reads nothing but an index.
drop index "signInsOrder";
create index "signInsOrder" on "signIns" (kind, "loginDT" desc, idx desc) include (type, "groupIdx");
drop index "signInsGroup";
create index "signInsGroup" on "signIns" ("groupIdx", kind, "loginDT" desc) include (type);
drop index "fileEximportsRequestDT";
create index "fileEximportsRequestDT" on "fileEximports" (type, "requestDT" desc, idx desc)
  include ("requesterGroupIdx", state, "isFileUploaded", "fileSize");
