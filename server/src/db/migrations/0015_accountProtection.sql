-- Former passwords, reminders that were sent, and when an account was last used.

create table "formerPasswords" (
  idx bigint generated always as identity primary key,
  "userIdx" bigint not null references users (idx) on delete cascade,
  "pwHash" text not null
);
create index "formerPasswordsUser" on "formerPasswords" ("userIdx", idx desc);

create table "accountReminders" (
  "userIdx" bigint not null references users (idx) on delete cascade,
  reason text not null check (reason in ('expiry7', 'expiry1', 'dormancy')),
  -- What is reminded of: the day on which the account expires, or was last used.
  day date not null,
  "sentDT" timestamptz not null,
  primary key ("userIdx", reason, day)
);

-- An account counts as used until now, so that nobody is dormant at once.
alter table users add column "activeDT" timestamptz not null default now();
create index "usersActive" on users ("activeDT");
