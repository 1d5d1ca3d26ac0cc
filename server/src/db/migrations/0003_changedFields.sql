-- Functions of indexes, which everybody may execute: a role that may not could not insert rows. In `public`, a node of
-- 1.0.0 that starts while others are upgraded would revoke the right.
create schema indexed;
grant usage on schema indexed to public;

-- Names what a row of the history changed: fields whose old value differs, and lists with added or removed entries.
-- Rows of creations and deletions have no old values, so they change no field.
create function indexed."changedFields"(detail jsonb) returns text[] language sql immutable strict parallel safe as $$
  select coalesce(array_agg(key), '{}') from jsonb_each(detail) field (key, value)
  where case jsonb_typeof(value)
    when 'array' then exists (
      select from jsonb_array_elements(value) entry where jsonb_typeof(entry) = 'object'
      group by entry - '{isOld,idx}'::text[] having count(distinct entry ->> 'isOld') = 1)
    else value <> detail -> regexp_replace(key, '^(target|policy)', '\1Old')
      and exists (select from jsonb_each(detail) old (key, value) where old.key ~ '^(target|policy)Old'
        and old.value <> 'null')
  end
$$;
