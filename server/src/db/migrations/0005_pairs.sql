-- Pairs of adjacent characters, in lower case: `Abc` becomes {ab,bc}. A text of two characters, as most Korean given names are,
-- has no trigram; it is found by its pair, and exactly, so that no match is looked at again. Once a pair was spelled as a text
-- whose trigrams it was, and every match had to be spelled anew to be sure.
drop index "groupsNamePairs", "usersNamePairs", "fileEximportsNamePairs", "requestFilesNamePairs", "signInsNamePairs", "signInsGroupPairs";
drop function pairs(text);
create function pairs(word text) returns text[] immutable strict parallel safe language plpgsql as $$
declare
  low text := lower(word);
  found text[] := '{}';
begin
  for i in 1..length(low) - 1 loop
    found := found || substr(low, i, 2);
  end loop;
  return found;
end $$;
create index "groupsNamePairs" on groups using gin (pairs(name));
create index "usersNamePairs" on users using gin (pairs(name));
create index "fileEximportsNamePairs" on "fileEximports" using gin (pairs("requesterName"));
create index "requestFilesNamePairs" on "requestFiles" using gin (pairs("fileName"));
create index "signInsNamePairs" on "signIns" using gin (pairs("userName"));
create index "signInsGroupPairs" on "signIns" using gin (pairs("userGroupName"));
