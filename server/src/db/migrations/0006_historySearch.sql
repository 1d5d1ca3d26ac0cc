-- What the lists of the history filter by. The table refuses UPDATE, so the columns are generated from the detail: whom or
-- what a row is about, whatever its kind calls it (contract/src/history). Figures: docs/decisions.

alter table history
  add column "targetId" text
    generated always as (coalesce(detail ->> 'targetId', detail ->> 'userId', detail ->> 'requesterId')) stored,
  add column "targetName" text
    generated always as (
      coalesce(
        detail ->> 'targetName', detail ->> 'userName', detail ->> 'requesterName', detail ->> 'targetVersion')) stored,
  add column "targetGroupName" text
    generated always as (
      coalesce(detail ->> 'targetGroupName', detail ->> 'userGroupName', detail ->> 'requesterGroupName')) stored,
  add column "targetIp" text
    generated always as (coalesce(detail ->> 'targetIp', detail ->> 'deviceIp')) stored,
  add column "targetType" smallint generated always as ((detail ->> 'targetType')::smallint) stored;

drop index "historySubjectSearch";
drop index "historyActorSearch";

-- One index for every text: a filter uses the parts that it names. pairs() finds texts of two characters.
create index "historySearch" on history using gin (
  lower("targetId") gin_trgm_ops,
  lower("targetName") gin_trgm_ops,
  pairs("targetName"),
  lower("targetGroupName") gin_trgm_ops,
  pairs("targetGroupName"),
  lower("targetIp") gin_trgm_ops,
  lower("actorId") gin_trgm_ops,
  lower("actorName") gin_trgm_ops,
  pairs("actorName")
);

-- The rows of few groups, for their managers.
create index "historyGroup" on history ("groupIdx", kind, idx desc);
