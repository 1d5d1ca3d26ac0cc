-- Sign-ins and the ends of their sessions are sealed as well, and seals are added by a function alone (docs/decisions/0061).

-- What the seal covers; null: rows of the history, as versions before sealed them. An end is numbered by "endNo".
alter table "historySeals" add column source text check (source in ('history', 'signIns', 'signOuts'));
-- The latest moment of the rows.
alter table "historySeals" add column "lastDT" timestamptz;

-- Adds a seal behind the last one, whose hash the writer has to know.
create function "addHistorySeal"(seal "historySeals", before bytea) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  last "historySeals";
  covered bigint;
begin
  perform pg_advisory_xact_lock(hashtext('historySeals'));
  select * into last from "historySeals" s order by s.no desc limit 1;
  select max(s."toIdx") into covered from "historySeals" s where coalesce(s.source, 'history') = seal.source;
  if seal.no is distinct from coalesce(last.no, 0) + 1 or before is distinct from coalesce(last.hash, decode(repeat('00', 32), 'hex'))
    or seal.source is null or seal."toIdx" is null or seal."toIdx" <= coalesce(covered, 0)
  then
    raise exception 'the seal does not follow the last one' using errcode = 'insufficient_privilege';
  end if;
  insert into "historySeals" select seal.*;
end $$;

-- A node of the version before, which owns the tables, would continue from a seal that it does not understand.
create function "refuseFormerSeal"() returns trigger language plpgsql as $$
begin
  if exists (select from "historySeals" where source is not null and no < new.no) then
    raise exception 'a newer version seals the history' using errcode = 'insufficient_privilege';
  end if;
  return new;
end $$;
create trigger "historySealsFormer" before insert on "historySeals" for each row
when (new.source is null) execute function "refuseFormerSeal"();

-- As before; sign-ins are kept until they are sealed, too.
create or replace function "keepMonths"(days integer) returns integer
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  today date := (now() at time zone 'UTC')::date;
  bound date := date_trunc('month', today - greatest(days, (select r.days from "historyRetention" r)));
  changed bigint := coalesce((select max("toIdx") from "historySeals" where coalesce(source, 'history') = 'history'), 0);
  opened bigint := coalesce((select max("toIdx") from "historySeals" where source = 'signIns'), 0);
  ended bigint := coalesce((select max("toIdx") from "historySeals" where source = 'signOuts'), 0);
  child record;
  isSealed boolean;
  dropped integer := 0;
begin
  perform "makePartitions"('history', today - 31, 4), "makePartitions"('signIns', today - 31, 4);
  for child in
    select c.relname as name, p.relname as parent
    from pg_inherits i join pg_class c on c.oid = i.inhrelid join pg_class p on p.oid = i.inhparent
    where p.oid in ('history'::regclass, '"signIns"'::regclass) and c.relname ~ '_\d{6}$'
      and exists (select from "historyRetention")
      and to_date(right(c.relname, 6), 'YYYYMM') + interval '1 month' <= bound
  loop
    if child.parent = 'history' then
      execute format('select not exists (select from %I where idx > $1)', child.name) into isSealed using changed;
    else
      execute format('select not exists (select from %I where idx > $1) and not exists (select from %I where "endNo" > $2)',
        child.name, child.name) into isSealed using opened, ended;
    end if;
    continue when not isSealed;
    execute format('drop table %I', child.name);
    dropped := dropped + 1;
  end loop;
  return dropped;
end $$;
