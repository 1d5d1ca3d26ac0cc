-- Since when a request has waited for a decision; null while it does not wait.
alter table "fileEximports" add column "waitDT" timestamptz;
update "fileEximports" set "waitDT" = "requestDT" where state = 0 and "isFileUploaded" = 1;
alter table "fileEximports" add constraint "fileEximports_waitDT_check"
  check ("waitDT" is null or (state = 0 and "isFileUploaded" = 1));
create index "fileEximportsWaiting" on "fileEximports" ("waitDT") where "waitDT" is not null;

-- What approvers are told of. Numbers are taken one transaction at a time, so that they rise in the order of the commits:
-- a reader that has seen one number has seen all below it.
create sequence "noticeNo";
create table "waitingNotices" (
  "fileEximportIdx" bigint primary key,
  "waitDT" timestamptz not null,
  "announceNo" bigint not null,
  -- The reminder of a request that waits too long; null before it.
  "remindNo" bigint
);
create index "waitingNoticesAnnounce" on "waitingNotices" ("announceNo");
create index "waitingNoticesRemind" on "waitingNotices" ("remindNo") where "remindNo" is not null;

-- What requesters are told of. A row stays after its mail, so that nothing is told twice.
create table "requesterNotices" (
  idx bigint generated always as identity primary key,
  "fileEximportIdx" bigint not null references "fileEximports" on delete cascade,
  "userIdx" bigint not null references users on delete cascade,
  -- 0 decided, 1 canceled, 2 about to expire.
  event smallint not null check (event in (0, 1, 2)),
  "createDT" timestamptz not null,
  "sentDT" timestamptz,
  unique ("fileEximportIdx", event)
);
create index "requesterNoticesPending" on "requesterNotices" ("userIdx") where "sentDT" is null;
create index "requesterNoticesUser" on "requesterNotices" ("userIdx");

-- How often a person is told, and what they have been told.
create table "personNotices" (
  "userIdx" bigint primary key references users on delete cascade,
  -- 0 off, 1 at once, 2 hourly, 3 daily; null: the default of the role.
  choice smallint check (choice in (0, 1, 2, 3)),
  -- For the daily mail; null: the server's.
  "timeZone" text,
  -- The last number of the notices that were considered for this approver.
  "seenNo" bigint not null default 0,
  -- Before these moments there is no further mail, as approver and as requester; null: not yet considered.
  "nextDT" timestamptz,
  "requesterDT" timestamptz,
  "mailDay" date,
  -- Mails of that day.
  "mailCount" integer not null default 0
);
