-- Urgent exports: the policy allows them at once, and an approver reviews them within some hours.
-- `urgentExportSetBy`: who set the switch last; as for "fileExportSetBy", nobody profits from their own switch.
-- Downloads of an approved file: a number of times and of days, 0 for any.
alter table policies
  add column "urgentExport" smallint not null default 0 check ("urgentExport" in (0, 1)),
  add column "urgentReviewHours" smallint not null default 24 check ("urgentReviewHours" between 1 and 72),
  add column "urgentExportSetBy" bigint references users on delete set null,
  add column "downloadCount" smallint not null default 0 check ("downloadCount" between 0 and 100),
  add column "downloadDays" smallint not null default 0 check ("downloadDays" between 0 and 365);

-- An urgent request is allowed (state 4). `reviewDueDT`: until when it is reviewed, from the arrival of its last file on.
alter table "fileEximports" add column "urgentReason" text, add column "reviewDueDT" timestamptz;

-- How often the requester downloaded a file.
alter table "requestFiles" add column downloads integer not null default 0;

-- Events 6 to 8 of a requester: the request expires in a day; it expired; an urgent export is to be reviewed.
alter table "requesterNotices" drop constraint "requesterNotices_event_check";
alter table "requesterNotices" add constraint "requesterNotices_event_check" check (event between 0 and 8) not valid;
