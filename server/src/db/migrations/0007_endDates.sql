-- Ends of people's own policies, of network exceptions and of memberships. Without an end, `endReason` says why; both are
-- null in rows from before. `endSetBy` is the user who set them, not a reference: numbers of users are never used twice.
-- `endMailed` is the last announcement that was mailed, in days before the end: 7, then 1.
alter table policies add column "endDT" timestamptz, add column "endReason" text, add column "endSetBy" bigint,
  add column "endMailed" smallint;
alter table "policyNetworkExceptions" add column "endDT" timestamptz, add column "endReason" text,
  add column "endSetBy" bigint, add column "endMailed" smallint;
alter table "authorityUsers" add column "endDT" timestamptz, add column "endReason" text, add column "endSetBy" bigint,
  add column "endMailed" smallint;
