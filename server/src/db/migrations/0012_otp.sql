-- One-time passwords. The last 30-second step whose code was used, so that each code works once, and the key of an
-- authenticator until its registration.
alter table users
  add column "otpStep" bigint,
  add column "otpPending" bytea,
  add column "otpPendingExpireDT" timestamptz;

-- Codes sent by mail, keyed hashes: one of an account for each purpose.
create table "otpCodes" (
  "userIdx" bigint not null references users on delete cascade,
  purpose text not null check (purpose in ('login', 'clientLogin', 'changePw', 'findPw', 'findId')),
  "codeHash" bytea not null,
  tries integer not null default 0,
  "sendDT" timestamptz not null,
  "expireDT" timestamptz not null,
  primary key ("userIdx", purpose)
);
