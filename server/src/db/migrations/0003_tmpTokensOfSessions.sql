-- A temporary token belongs to the session that made it and ends with it. Those of before are good for a minute: they go.
delete from "tmpTokens";
alter table "tmpTokens" add column "sessionIdx" bigint not null references sessions on delete cascade;
create index "tmpTokensSession" on "tmpTokens" ("sessionIdx");
