-- Approval steps 2 and 3 of a policy, each decided by the members of an authority. Step 1 is the approvers of the
-- requester's group and has no row.
create table "policyApprovalSteps" (
  "policyIdx" bigint not null references policies on delete cascade,
  type smallint not null check (type in (0, 1)),
  step smallint not null check (step in (2, 3)),
  "authorityIdx" bigint not null constraint "policyApprovalStepsAuthority" references authorities,
  primary key ("policyIdx", type, step)
);
create index "policyApprovalStepsAuthority" on "policyApprovalSteps" ("authorityIdx");

-- The step that a request waits for, and how many it has: fixed when its last file arrives.
alter table "fileEximports" add column step smallint not null default 1, add column steps smallint not null default 1;
-- A node of 1.0.0 knows no steps: it must not approve a request before its last one.
alter table "fileEximports" add constraint "fileEximportsLastStep" check (state <> 1 or step = steps) not valid;

-- Who decides the later steps of a request. The name remains when the authority is deleted.
create table "requestSteps" (
  "fileEximportIdx" bigint not null references "fileEximports" on delete cascade,
  step smallint not null check (step in (2, 3)),
  "authorityIdx" bigint constraint "requestStepsAuthority" references authorities on delete set null,
  "authorityName" text not null,
  primary key ("fileEximportIdx", step)
);
create index "requestStepsAuthority" on "requestSteps" ("authorityIdx");

-- One decision for each step. `forIdx` and `forName` name the absent person whose substitute decided.
create table "requestDecisions" (
  "fileEximportIdx" bigint not null references "fileEximports" on delete cascade,
  step smallint not null check (step between 1 and 3),
  decision smallint not null check (decision in (0, 1)),
  "deciderIdx" bigint constraint "requestDecisionsDecider" references users on delete set null,
  "deciderId" text not null,
  "deciderName" text not null,
  "forIdx" bigint constraint "requestDecisionsFor" references users on delete set null,
  "forName" text,
  reason text not null,
  "decideDT" timestamptz not null,
  primary key ("fileEximportIdx", step)
);
create index "requestDecisionsDecider" on "requestDecisions" ("deciderIdx");
create index "requestDecisionsFor" on "requestDecisions" ("forIdx") where "forIdx" is not null;

-- Events 4 and 5 of a requester: the request waits for step 2 or 3.
alter table "requesterNotices" drop constraint "requesterNotices_event_check";
alter table "requesterNotices" add constraint "requesterNotices_event_check" check (event between 0 and 5) not valid;
