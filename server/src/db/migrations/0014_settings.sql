-- The last values of a mail server that a session tested successfully; only these can be saved.
create table "mailTests" (
  "sessionIdx" bigint primary key references sessions on delete cascade,
  -- Sealed, since a password is among them.
  fields bytea not null,
  "testDT" timestamptz not null
);

-- The configurations for desktop clients: siteConfig (XML) and clientPolicy (JSON). Each row is a version; the last one of a
-- kind is in effect.
create table "configTexts" (
  idx bigint generated always as identity primary key,
  -- 0 siteConfig, 1 clientPolicy.
  kind smallint not null check (kind in (0, 1)),
  text text not null,
  "logDT" timestamptz not null,
  "actorIdx" bigint,
  "actorId" text not null,
  "actorName" text not null
);
create index "configTexts_kind" on "configTexts" (kind, idx desc);
