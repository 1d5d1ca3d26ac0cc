-- Absences of approvers: at this time the substitute also decides what the absent person may decide. The history keeps
-- absences that are over.
create table absences (
  idx bigint generated always as identity primary key,
  "userIdx" bigint not null references users on delete cascade,
  "substituteIdx" bigint not null references users on delete cascade check ("substituteIdx" <> "userIdx"),
  "startDT" timestamptz not null,
  "endDT" timestamptz not null,
  reason text not null,
  -- Whether open screens were notified of its start.
  "isAnnounced" boolean not null default false
);
create index "absencesUser" on absences ("userIdx");
create index "absencesSubstitute" on absences ("substituteIdx");

-- A suspension ends the absences of both, also future ones, and also on a node that knows no absences. Wrong passwords
-- do not: otherwise a stranger who knows an ID could end an absence.
create function "endAbsences"() returns trigger language plpgsql as $$
begin
  update absences set "endDT" = '-infinity' where new.idx in ("userIdx", "substituteIdx");
  return null;
end $$;
create trigger "usersEndAbsences" after update of state on users for each row
when (new.state & 2 <> 0 and new."loginFails" <= old."loginFails" and new."otpFails" <= old."otpFails")
execute function "endAbsences"();
