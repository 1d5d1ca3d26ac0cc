-- The groups that an approver could decide for, by direction, when they were considered last: for what waits in further ones.
alter table "personNotices" add column "exportGroups" bigint[] not null default '{}';
alter table "personNotices" add column "importGroups" bigint[] not null default '{}';
update "personNotices" p set
  "exportGroups" = array(
    select distinct ag."groupIdx" from "authorityUsers" au
    join authorities a on a.idx = au."authorityIdx" join "authorityGroups" ag on ag."authorityIdx" = a.idx
    where au."userIdx" = p."userIdx" and a."fileExportApprove" >= 2 order by ag."groupIdx"),
  "importGroups" = array(
    select distinct ag."groupIdx" from "authorityUsers" au
    join authorities a on a.idx = au."authorityIdx" join "authorityGroups" ag on ag."authorityIdx" = a.idx
    where au."userIdx" = p."userIdx" and a."fileImportApprove" >= 2 order by ag."groupIdx");
