-- What the server's database role may not do by itself, in the narrowest form that the server needs (docs/decisions/0070). The
-- functions run with the rights of the owner, who alone calls makePartitions and dropPartitions.

-- For how many days the histories are kept at least. Written by the owner alone, when the schema is migrated.
create table "historyRetention" (
  id smallint primary key check (id = 1),
  days integer not null check (days > 0)
);

-- Makes the partitions of the last, the current and the next two months, and drops those that ended more than `days` days ago:
-- never one of the retention period, nor one with a row that is not sealed. Returns how many went.
create function "keepMonths"(days integer) returns integer
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  today date := (now() at time zone 'UTC')::date;
  bound date := date_trunc('month', today - greatest(days, (select r.days from "historyRetention" r)));
  sealed bigint := (select max("toIdx") from "historySeals");
  child record;
  last bigint;
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
      execute format('select max(idx) from %I', child.name) into last;
      continue when last > coalesce(sealed, 0);
    end if;
    execute format('drop table %I', child.name);
    dropped := dropped + 1;
  end loop;
  return dropped;
end $$;

-- The last number of a source below which no row can appear any more: all that are being written are waited for, and new ones
-- wait until the end of the transaction.
create function "lastComplete"(source text) returns bigint
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  last bigint;
begin
  case source
    when 'history' then
      lock table history in share mode;
      select max(idx) into last from history;
    when 'signIns' then
      lock table "signIns" in share mode;
      select max(idx) into last from "signIns";
    when 'signOuts' then
      lock table "signIns" in share mode;
      select max("endNo") into last from "signIns";
    when 'historySeals' then
      lock table "historySeals" in share mode;
      select max(no) into last from "historySeals";
  end case;
  return coalesce(last, 0);
end $$;
