-- The ends of sessions in the order in which they are written, so that they can go out (docs/decisions/0078). A trigger numbers
-- them, also those that a node of an earlier version writes.
create sequence "signInsEnd";
alter table "signIns" add column "endNo" bigint;
create index "signInsEnds" on "signIns" ("endNo") where "endNo" is not null;

create function "numberSignInEnd"() returns trigger language plpgsql as $$
begin
  new."endNo" := nextval('"signInsEnd"');
  return new;
end $$;
create trigger "signInsNumberEnd" before update of "logoutDT" on "signIns" for each row
when (old."logoutDT" is null and new."logoutDT" is not null) execute function "numberSignInEnd"();

alter table "historyOutlets" drop constraint "historyOutlets_source_check";
alter table "historyOutlets" add constraint "historyOutlets_source_check"
check (source in ('history', 'signIns', 'signOuts', 'historySeals'));
