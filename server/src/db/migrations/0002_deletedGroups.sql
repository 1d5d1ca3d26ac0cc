-- Where the people of deleted groups came to stand. Histories keep the number of the group that they were written in, and
-- are from then on read by whoever reads those of the heir.
create table "deletedGroups" (
  idx bigint primary key,
  "heirIdx" bigint not null references groups
);
create index "deletedGroupsHeir" on "deletedGroups" ("heirIdx");
