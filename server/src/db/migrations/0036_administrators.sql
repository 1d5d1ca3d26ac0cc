-- System administrators are added by the owner of the schema, apart from the one of the first start (docs/decisions/0070).
create function "refuseAdministrator"() returns trigger language plpgsql as $$
begin
  if exists (select from users) and not pg_has_role((select relowner from pg_class where oid = tg_relid), 'usage') then
    raise exception 'system administrators are added by the owner of the schema' using errcode = 'insufficient_privilege';
  end if;
  return new;
end $$;
create trigger "usersAdministrator" before insert on users for each row
when (new."isAdmin" = 1) execute function "refuseAdministrator"();
