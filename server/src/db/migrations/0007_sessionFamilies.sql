-- Sessions opened by a temporary token keep the limit of the session that made it, and end with it.
alter table sessions add column "limitDT" timestamptz;
update sessions set "limitDT" = "createDT" + case kind when 'web' then interval '1 day' else interval '30 days' end;
alter table sessions alter column "limitDT" set not null;
-- The sessions that this one comes from, the first sign-in first.
alter table sessions add column ancestors bigint[] not null default '{}';
create index "sessionsAncestors" on sessions using gin (ancestors) where "endDT" is null and ancestors <> '{}';

-- What a token is good for: a session of the same person, or their identity for the document-security page.
delete from "tmpTokens";
alter table "tmpTokens" add column purpose text not null check (purpose in ('portal', 'dms'));

-- Counters of failures survive a crash of the database.
alter table throttles set logged;
