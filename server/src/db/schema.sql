-- The schema as the migrations leave it, for reading. `npm run db:dump` writes it; the migrations make it.

CREATE EXTENSION pg_trgm;

CREATE COLLATION people (provider = icu, locale = 'und-u-kn-true');

CREATE SEQUENCE "noticeNo";

CREATE SEQUENCE "rightsRevision";

CREATE SEQUENCE "signInsEnd";

CREATE OR REPLACE FUNCTION "addHistorySeal"(seal "historySeals", before bytea)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  last "historySeals";
  covered bigint;
begin
  perform pg_advisory_xact_lock(hashtext('historySeals'));
  select * into last from "historySeals" s order by s.no desc limit 1;
  select max(s."toIdx") into covered from "historySeals" s where s.source = seal.source;
  if seal.no is distinct from coalesce(last.no, 0) + 1 or before is distinct from coalesce(last.hash, decode(repeat('00', 32), 'hex'))
    or seal.source is null or seal."toIdx" is null or seal."toIdx" <= coalesce(covered, 0)
  then
    raise exception 'the seal does not follow the last one' using errcode = 'insufficient_privilege';
  end if;
  insert into "historySeals" select seal.*;
end $function$;

CREATE OR REPLACE FUNCTION "dropPartitions"(parent text, bound date)
 RETURNS integer
 LANGUAGE plpgsql
AS $function$
declare
  child record;
  dropped integer := 0;
begin
  for child in
    select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = quote_ident(parent)::regclass and c.relname ~ '_\d{6}$'
      and to_date(right(c.relname, 6), 'YYYYMM') + interval '1 month' <= date_trunc('month', bound)
  loop
    execute format('drop table %I', child.relname);
    dropped := dropped + 1;
  end loop;
  return dropped;
end $function$;

CREATE OR REPLACE FUNCTION "endAbsences"()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update absences set "endDT" = '-infinity' where new.idx in ("userIdx", "substituteIdx");
  return null;
end $function$;

CREATE OR REPLACE FUNCTION "keepMonths"(days integer)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  today date := (now() at time zone 'UTC')::date;
  bound date := date_trunc('month', today - greatest(days, (select r.days from "historyRetention" r)));
  changed bigint := coalesce((select max("toIdx") from "historySeals" where source = 'history'), 0);
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
end $function$;

CREATE OR REPLACE FUNCTION "lastComplete"(source text)
 RETURNS bigint
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION "makePartitions"(parent text, first date, months integer)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  month date := date_trunc('month', first);
begin
  for i in 1..months loop
    execute format(
      'create table if not exists %I partition of %I for values from (%L) to (%L)',
      parent || '_' || to_char(month, 'YYYYMM'), parent,
      month::timestamp at time zone 'UTC', (month + interval '1 month') at time zone 'UTC'
    );
    month := month + interval '1 month';
  end loop;
end $function$;

CREATE OR REPLACE FUNCTION "numberSignInEnd"()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new."endNo" := nextval('"signInsEnd"');
  return new;
end $function$;

CREATE OR REPLACE FUNCTION pairs(word text)
 RETURNS text[]
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
declare
  low text := lower(word);
  found text[] := '{}';
begin
  for i in 1..length(low) - 1 loop
    found := found || substr(low, i, 2);
  end loop;
  return found;
end $function$;

CREATE OR REPLACE FUNCTION "refuseAdministrator"()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if exists (select from users) and not pg_has_role((select relowner from pg_class where oid = tg_relid), 'usage') then
    raise exception 'system administrators are added by the owner of the schema' using errcode = 'insufficient_privilege';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION "refuseChange"()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'the history is append-only' using errcode = 'insufficient_privilege';
end $function$;

CREATE TABLE absences (
  idx bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  "userIdx" bigint NOT NULL,
  "substituteIdx" bigint NOT NULL,
  "startDT" timestamp with time zone NOT NULL,
  "endDT" timestamp with time zone NOT NULL,
  reason text NOT NULL,
  "isAnnounced" boolean NOT NULL DEFAULT false,
  CONSTRAINT absences_pkey PRIMARY KEY (idx),
  CONSTRAINT "absences_substituteIdx_fkey" FOREIGN KEY ("substituteIdx") REFERENCES users(idx) ON DELETE CASCADE,
  CONSTRAINT "absences_userIdx_fkey" FOREIGN KEY ("userIdx") REFERENCES users(idx) ON DELETE CASCADE,
  CONSTRAINT absences_check CHECK ("substituteIdx" <> "userIdx")
);
CREATE INDEX "absencesSubstitute" ON absences USING btree ("substituteIdx");
CREATE INDEX "absencesUser" ON absences USING btree ("userIdx");

CREATE TABLE "accountReminders" (
  "userIdx" bigint NOT NULL,
  reason text NOT NULL,
  day date NOT NULL,
  "sentDT" timestamp with time zone NOT NULL,
  CONSTRAINT "accountReminders_pkey" PRIMARY KEY ("userIdx", reason, day),
  CONSTRAINT "accountReminders_userIdx_fkey" FOREIGN KEY ("userIdx") REFERENCES users(idx) ON DELETE CASCADE,
  CONSTRAINT "accountReminders_reason_check" CHECK (reason = ANY (ARRAY['expiry7'::text, 'expiry1'::text, 'dormancy'::text]))
);

CREATE TABLE "activityCounts" (
  "startDT" timestamp with time zone NOT NULL,
  "signIns" integer NOT NULL,
  exports integer NOT NULL,
  "exportSize" bigint NOT NULL,
  imports integer NOT NULL,
  "importSize" bigint NOT NULL,
  CONSTRAINT "activityCounts_pkey" PRIMARY KEY ("startDT")
);

CREATE TABLE authorities (
  idx bigint NOT NULL GENERATED BY DEFAULT AS IDENTITY,
  name text NOT NULL,
  description text NOT NULL DEFAULT ''::text,
  policy smallint NOT NULL,
  "user" smallint NOT NULL,
  "fileImportApprove" smallint NOT NULL,
  "fileExportApprove" smallint NOT NULL,
  log smallint NOT NULL,
  revision integer NOT NULL DEFAULT 1,
  CONSTRAINT authorities_pkey PRIMARY KEY (idx),
  CONSTRAINT "authoritiesSomeLevel" CHECK (GREATEST(policy, "user", "fileImportApprove", "fileExportApprove", log) > 0),
  CONSTRAINT "authorities_fileExportApprove_check" CHECK ("fileExportApprove" >= 0 AND "fileExportApprove" <= 2),
  CONSTRAINT "authorities_fileImportApprove_check" CHECK ("fileImportApprove" >= 0 AND "fileImportApprove" <= 2),
  CONSTRAINT authorities_log_check CHECK (log >= 0 AND log <= 1),
  CONSTRAINT authorities_policy_check CHECK (policy >= 0 AND policy <= 2),
  CONSTRAINT authorities_user_check CHECK ("user" >= 0 AND "user" <= 2)
);
CREATE UNIQUE INDEX "authoritiesName" ON authorities USING btree (lower(name));

CREATE TABLE "authorityGroups" (
  "authorityIdx" bigint NOT NULL,
  "groupIdx" bigint NOT NULL,
  CONSTRAINT "authorityGroups_pkey" PRIMARY KEY ("authorityIdx", "groupIdx"),
  CONSTRAINT "authorityGroupsGroup" FOREIGN KEY ("groupIdx") REFERENCES groups(idx) ON DELETE CASCADE,
  CONSTRAINT "authorityGroups_authorityIdx_fkey" FOREIGN KEY ("authorityIdx") REFERENCES authorities(idx) ON DELETE CASCADE
);
CREATE INDEX "authorityGroupsByGroup" ON "authorityGroups" USING btree ("groupIdx");

CREATE TABLE "authorityUsers" (
  "authorityIdx" bigint NOT NULL,
  "userIdx" bigint NOT NULL,
  "endDT" timestamp with time zone,
  "endReason" text,
  "endSetBy" bigint,
  "endMailed" smallint,
  CONSTRAINT "authorityUsers_pkey" PRIMARY KEY ("authorityIdx", "userIdx"),
  CONSTRAINT "authorityUsersUser" FOREIGN KEY ("userIdx") REFERENCES users(idx) ON DELETE CASCADE,
  CONSTRAINT "authorityUsers_authorityIdx_fkey" FOREIGN KEY ("authorityIdx") REFERENCES authorities(idx) ON DELETE CASCADE
);
CREATE INDEX "authorityUsersByUser" ON "authorityUsers" USING btree ("userIdx");
CREATE INDEX "authorityUsersEnd" ON "authorityUsers" USING btree ("endDT") WHERE "endDT" IS NOT NULL;

CREATE TABLE "bimConnections" (
  idx bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  "serverIdx" bigint NOT NULL,
  "userId" text NOT NULL,
  ip text NOT NULL,
  "connectDT" timestamp with time zone NOT NULL,
  CONSTRAINT "bimConnections_pkey" PRIMARY KEY (idx),
  CONSTRAINT "bimConnectionsOnce" UNIQUE ("serverIdx", "userId", ip, "connectDT"),
  CONSTRAINT "bimConnections_serverIdx_fkey" FOREIGN KEY ("serverIdx") REFERENCES "bimServers"(idx) ON DELETE CASCADE
);

CREATE TABLE "bimExceptions" (
  idx bigint NOT NULL GENERATED BY DEFAULT AS IDENTITY,
  ip text NOT NULL,
  description text NOT NULL DEFAULT ''::text,
  revision integer NOT NULL DEFAULT 1,
  CONSTRAINT "bimExceptions_pkey" PRIMARY KEY (idx)
);
CREATE UNIQUE INDEX "bimExceptionsIp" ON "bimExceptions" USING btree (ip);

CREATE TABLE "bimGroups" (
  "groupIdx" bigint NOT NULL,
  CONSTRAINT "bimGroups_pkey" PRIMARY KEY ("groupIdx"),
  CONSTRAINT "bimGroupsGroup" FOREIGN KEY ("groupIdx") REFERENCES groups(idx) ON DELETE CASCADE
);

CREATE TABLE "bimServers" (
  idx bigint NOT NULL GENERATED BY DEFAULT AS IDENTITY,
  "idHash" bytea NOT NULL,
  "idSealed" bytea NOT NULL,
  "pcName" text NOT NULL,
  ip text NOT NULL,
  description text NOT NULL DEFAULT ''::text,
  "heartbeatDT" timestamp with time zone,
  "isOnline" smallint NOT NULL DEFAULT 0,
  revision integer NOT NULL DEFAULT 1,
  CONSTRAINT "bimServers_pkey" PRIMARY KEY (idx),
  CONSTRAINT "bimServers_isOnline_check" CHECK ("isOnline" = ANY (ARRAY[0, 1]))
);
CREATE UNIQUE INDEX "bimServersId" ON "bimServers" USING btree ("idHash");
CREATE UNIQUE INDEX "bimServersIp" ON "bimServers" USING btree (ip);
CREATE UNIQUE INDEX "bimServersPcName" ON "bimServers" USING btree (lower("pcName"));

CREATE TABLE "bimUsers" (
  "userIdx" bigint NOT NULL,
  CONSTRAINT "bimUsers_pkey" PRIMARY KEY ("userIdx"),
  CONSTRAINT "bimUsersUser" FOREIGN KEY ("userIdx") REFERENCES users(idx) ON DELETE CASCADE
);

CREATE TABLE "clientVersions" (
  idx bigint NOT NULL GENERATED BY DEFAULT AS IDENTITY,
  version text NOT NULL,
  "fileName" text NOT NULL,
  "fileSize" bigint NOT NULL,
  sha256 text NOT NULL,
  "storeName" text NOT NULL,
  "wrappedKey" bytea NOT NULL,
  "uploadDT" timestamp with time zone NOT NULL,
  "isDeploy" smallint NOT NULL DEFAULT 0,
  CONSTRAINT "clientVersions_pkey" PRIMARY KEY (idx),
  CONSTRAINT "clientVersions_isDeploy_check" CHECK ("isDeploy" = ANY (ARRAY[0, 1]))
);
CREATE UNIQUE INDEX "clientVersionsDeployed" ON "clientVersions" USING btree ("isDeploy") WHERE "isDeploy" = 1;
CREATE UNIQUE INDEX "clientVersionsStoreName" ON "clientVersions" USING btree ("storeName");
CREATE UNIQUE INDEX "clientVersionsVersion" ON "clientVersions" USING btree (version);

CREATE TABLE "configTexts" (
  idx bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  kind smallint NOT NULL,
  text text NOT NULL,
  "logDT" timestamp with time zone NOT NULL,
  "actorIdx" bigint,
  "actorId" text NOT NULL,
  "actorName" text NOT NULL,
  CONSTRAINT "configTexts_pkey" PRIMARY KEY (idx),
  CONSTRAINT "configTexts_kind_check" CHECK (kind = ANY (ARRAY[0, 1]))
);
CREATE INDEX "configTexts_kind" ON "configTexts" USING btree (kind, idx DESC);

CREATE TABLE "damagedFiles" (
  "storeName" text NOT NULL,
  reason text NOT NULL,
  "findDT" timestamp(3) with time zone NOT NULL,
  CONSTRAINT "damagedFiles_pkey" PRIMARY KEY ("storeName"),
  CONSTRAINT "damagedFiles_reason_check" CHECK (reason = ANY (ARRAY['damaged'::text, 'missing'::text]))
);

CREATE TABLE "deletedGroups" (
  idx bigint NOT NULL,
  "heirIdx" bigint NOT NULL,
  CONSTRAINT "deletedGroups_pkey" PRIMARY KEY (idx),
  CONSTRAINT "deletedGroups_heirIdx_fkey" FOREIGN KEY ("heirIdx") REFERENCES groups(idx)
);
CREATE INDEX "deletedGroupsHeir" ON "deletedGroups" USING btree ("heirIdx");

CREATE TABLE devices (
  idx bigint NOT NULL GENERATED BY DEFAULT AS IDENTITY,
  "userIdx" bigint NOT NULL,
  "deviceId" text NOT NULL,
  "deviceName" text NOT NULL,
  ip text NOT NULL,
  "clientVersion" text NOT NULL,
  "useDT" timestamp with time zone NOT NULL,
  CONSTRAINT devices_pkey PRIMARY KEY (idx),
  CONSTRAINT "devices_userIdx_deviceId_key" UNIQUE ("userIdx", "deviceId"),
  CONSTRAINT "devices_userIdx_fkey" FOREIGN KEY ("userIdx") REFERENCES users(idx) ON DELETE CASCADE
);
CREATE INDEX "devicesUse" ON devices USING btree ("useDT");

CREATE TABLE "fileEximports" (
  idx bigint NOT NULL GENERATED BY DEFAULT AS IDENTITY,
  type smallint NOT NULL,
  "requesterIdx" bigint,
  "requesterId" text NOT NULL,
  "requesterName" text NOT NULL,
  "requesterEmail" text NOT NULL,
  "requesterGroupIdx" bigint,
  "requesterGroupName" text NOT NULL,
  "approverIdx" bigint,
  "approverId" text,
  "approverName" text,
  "approverGroupName" text,
  state smallint NOT NULL,
  "requestDT" timestamp with time zone NOT NULL,
  "approveDT" timestamp with time zone,
  "requestPurpose" text NOT NULL,
  "approvePurpose" text,
  "isFileUploaded" smallint NOT NULL DEFAULT 0,
  "fileCount" integer NOT NULL,
  "fileSize" bigint NOT NULL,
  "waitDT" timestamp with time zone,
  "completeDT" timestamp with time zone,
  "filesRemovedDT" timestamp with time zone,
  step smallint NOT NULL DEFAULT 1,
  steps smallint NOT NULL DEFAULT 1,
  "urgentReason" text,
  "reviewDueDT" timestamp with time zone,
  CONSTRAINT "fileEximports_pkey" PRIMARY KEY (idx),
  CONSTRAINT "fileEximports_approverIdx_fkey" FOREIGN KEY ("approverIdx") REFERENCES users(idx) ON DELETE SET NULL,
  CONSTRAINT "fileEximports_requesterGroupIdx_fkey" FOREIGN KEY ("requesterGroupIdx") REFERENCES groups(idx) ON DELETE SET NULL,
  CONSTRAINT "fileEximports_requesterIdx_fkey" FOREIGN KEY ("requesterIdx") REFERENCES users(idx) ON DELETE SET NULL,
  CONSTRAINT "fileEximportsLastStep" CHECK (state <> 1 OR step = steps) NOT VALID,
  CONSTRAINT "fileEximports_isFileUploaded_check" CHECK ("isFileUploaded" = ANY (ARRAY[0, 1])),
  CONSTRAINT "fileEximports_state_check" CHECK (state >= 0 AND state <= 4),
  CONSTRAINT "fileEximports_type_check" CHECK (type = ANY (ARRAY[0, 1])),
  CONSTRAINT "fileEximports_waitDT_check" CHECK ("waitDT" IS NULL OR state = 0 AND "isFileUploaded" = 1)
);
CREATE INDEX "fileEximportsGroup" ON "fileEximports" USING btree ("requesterGroupIdx", idx DESC);
CREATE INDEX "fileEximportsIdSearch" ON "fileEximports" USING gin (lower("requesterId") gin_trgm_ops);
CREATE INDEX "fileEximportsIdxSearch" ON "fileEximports" USING btree ((idx::text) text_pattern_ops);
CREATE INDEX "fileEximportsKept" ON "fileEximports" USING btree (GREATEST("approveDT", "completeDT")) WHERE "isFileUploaded" = 1 AND (state = ANY (ARRAY[1, 2, 4])) AND "filesRemovedDT" IS NULL;
CREATE INDEX "fileEximportsLaterStep" ON "fileEximports" USING btree (type, idx) WHERE state = 0 AND step > 1;
CREATE INDEX "fileEximportsNamePairs" ON "fileEximports" USING gin (pairs("requesterName"));
CREATE INDEX "fileEximportsNameSearch" ON "fileEximports" USING gin (lower("requesterName") gin_trgm_ops);
CREATE INDEX "fileEximportsRequestDT" ON "fileEximports" USING btree (type, "requestDT" DESC, idx DESC) INCLUDE ("requesterGroupIdx", state, "isFileUploaded", "fileSize");
CREATE INDEX "fileEximportsRequester" ON "fileEximports" USING btree ("requesterIdx", idx DESC);
CREATE INDEX "fileEximportsState" ON "fileEximports" USING btree (type, state, idx DESC);
CREATE INDEX "fileEximportsToReview" ON "fileEximports" USING btree ("reviewDueDT") WHERE state = 4 AND "reviewDueDT" IS NOT NULL;
CREATE INDEX "fileEximportsUndecidedGroup" ON "fileEximports" USING btree ("requesterGroupIdx", type, idx DESC) WHERE state = 0;
CREATE INDEX "fileEximportsUndecidedName" ON "fileEximports" USING btree (type, "requesterName" COLLATE people, idx) WHERE state = 0;
CREATE INDEX "fileEximportsUnfinished" ON "fileEximports" USING btree ("requestDT") WHERE "isFileUploaded" = 0 AND (state = ANY (ARRAY[0, 4]));
CREATE INDEX "fileEximportsWaiting" ON "fileEximports" USING btree ("waitDT") WHERE "waitDT" IS NOT NULL;
CREATE INDEX "fileEximportsWaitingOrder" ON "fileEximports" USING btree (idx DESC) INCLUDE (type, step, "waitDT", "requesterIdx", "requesterGroupIdx") WHERE state = 0 AND "isFileUploaded" = 1;

CREATE TABLE "formerPasswords" (
  idx bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  "userIdx" bigint NOT NULL,
  "pwHash" text NOT NULL,
  CONSTRAINT "formerPasswords_pkey" PRIMARY KEY (idx),
  CONSTRAINT "formerPasswords_userIdx_fkey" FOREIGN KEY ("userIdx") REFERENCES users(idx) ON DELETE CASCADE
);
CREATE INDEX "formerPasswordsUser" ON "formerPasswords" USING btree ("userIdx", idx DESC);

CREATE TABLE groups (
  idx bigint NOT NULL GENERATED BY DEFAULT AS IDENTITY,
  "parentIdx" bigint,
  name text NOT NULL,
  key text NOT NULL,
  description text NOT NULL DEFAULT ''::text,
  path bigint[] NOT NULL,
  "position" integer NOT NULL,
  "isMyPolicy" smallint NOT NULL DEFAULT 0,
  "isDmsParent" smallint NOT NULL DEFAULT 0,
  "isSync" smallint NOT NULL DEFAULT 0,
  revision integer NOT NULL DEFAULT 1,
  CONSTRAINT groups_pkey PRIMARY KEY (idx),
  CONSTRAINT "groupsParent" FOREIGN KEY ("parentIdx") REFERENCES groups(idx),
  CONSTRAINT groups_check CHECK (path[array_upper(path, 1)] = idx),
  CONSTRAINT "groups_isDmsParent_check" CHECK ("isDmsParent" = ANY (ARRAY[0, 1])),
  CONSTRAINT "groups_isMyPolicy_check" CHECK ("isMyPolicy" = ANY (ARRAY[0, 1])),
  CONSTRAINT "groups_isSync_check" CHECK ("isSync" = ANY (ARRAY[0, 1]))
);
CREATE UNIQUE INDEX "groupsDmsRoot" ON groups USING btree ("isDmsParent") WHERE "isDmsParent" = 1;
CREATE UNIQUE INDEX "groupsKey" ON groups USING btree (lower(key));
CREATE UNIQUE INDEX "groupsName" ON groups USING btree ("parentIdx", lower(name));
CREATE INDEX "groupsNameOrder" ON groups USING btree (name COLLATE people);
CREATE INDEX "groupsNamePairs" ON groups USING gin (pairs(name));
CREATE INDEX "groupsNameSearch" ON groups USING gin (lower(name) gin_trgm_ops);
CREATE INDEX "groupsPath" ON groups USING gin (path);
CREATE INDEX "groupsSiblings" ON groups USING btree ("parentIdx", "position");

CREATE TABLE history (
  idx bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  kind text NOT NULL,
  "logDT" timestamp with time zone NOT NULL,
  "actorIdx" bigint,
  "actorId" text NOT NULL,
  "actorName" text NOT NULL,
  "actorGroupName" text NOT NULL,
  subject text NOT NULL,
  "subjectIdx" bigint,
  "groupIdx" bigint,
  ip text NOT NULL,
  type smallint NOT NULL,
  result smallint NOT NULL DEFAULT 0,
  detail jsonb NOT NULL,
  "targetId" text DEFAULT COALESCE(detail ->> 'targetId'::text, detail ->> 'userId'::text, detail ->> 'requesterId'::text),
  "targetName" text DEFAULT COALESCE(detail ->> 'targetName'::text, detail ->> 'userName'::text, detail ->> 'requesterName'::text, detail ->> 'targetVersion'::text),
  "targetGroupName" text DEFAULT COALESCE(detail ->> 'targetGroupName'::text, detail ->> 'userGroupName'::text, detail ->> 'requesterGroupName'::text),
  "targetIp" text DEFAULT COALESCE(detail ->> 'targetIp'::text, detail ->> 'deviceIp'::text),
  "targetType" smallint DEFAULT (detail ->> 'targetType'::text)::smallint,
  CONSTRAINT history_pkey PRIMARY KEY (idx, "logDT")
) PARTITION BY RANGE ("logDT");
CREATE INDEX "historyChanges" ON history USING gin (indexed."changedFields"(detail)) WHERE (kind = ANY (ARRAY['userManage'::text, 'groupManage'::text, 'policyManage'::text, 'authManage'::text, 'shortcutManage'::text, 'bimManage'::text])) AND indexed."changedFields"(detail) IS NOT NULL;
CREATE INDEX "historyFormerGroup" ON history USING btree (((detail ->> 'formerGroupIdx'::text)::bigint), idx DESC) WHERE detail ? 'formerGroupIdx'::text;
CREATE INDEX "historyGroup" ON history USING btree ("groupIdx", kind, idx DESC);
CREATE INDEX "historyIdx" ON history USING btree (kind, idx DESC);
CREATE INDEX "historyObject" ON history USING btree ("subjectIdx", kind) WHERE kind = ANY (ARRAY['userManage'::text, 'groupManage'::text, 'policyManage'::text, 'authManage'::text, 'shortcutManage'::text, 'bimManage'::text]);
CREATE INDEX "historyOrder" ON history USING btree (kind, "logDT" DESC, idx DESC);
CREATE INDEX "historyRequest" ON history USING btree ("subjectIdx") WHERE kind = ANY (ARRAY['fileExport'::text, 'fileImport'::text]);
CREATE INDEX "historySearch" ON history USING gin (lower("targetId") gin_trgm_ops, lower("targetName") gin_trgm_ops, pairs("targetName"), lower("targetGroupName") gin_trgm_ops, pairs("targetGroupName"), lower("targetIp") gin_trgm_ops, lower("actorId") gin_trgm_ops, lower("actorName") gin_trgm_ops, pairs("actorName"));
CREATE TRIGGER "historyAppendOnly" BEFORE DELETE OR UPDATE ON history FOR EACH ROW EXECUTE FUNCTION "refuseChange"();
CREATE TRIGGER "historyKept" BEFORE TRUNCATE ON history FOR EACH STATEMENT EXECUTE FUNCTION "refuseChange"();

CREATE TABLE "historyOutlets" (
  outlet text NOT NULL,
  source text NOT NULL,
  "toIdx" bigint NOT NULL,
  "sendDT" timestamp with time zone NOT NULL,
  CONSTRAINT "historyOutlets_pkey" PRIMARY KEY (outlet, source),
  CONSTRAINT "historyOutlets_outlet_check" CHECK (outlet = ANY (ARRAY['syslog'::text, 'file'::text])),
  CONSTRAINT "historyOutlets_source_check" CHECK (source = ANY (ARRAY['history'::text, 'signIns'::text, 'signOuts'::text, 'historySeals'::text]))
);

CREATE TABLE "historyRetention" (
  id smallint NOT NULL,
  days integer NOT NULL,
  CONSTRAINT "historyRetention_pkey" PRIMARY KEY (id),
  CONSTRAINT "historyRetention_days_check" CHECK (days > 0),
  CONSTRAINT "historyRetention_id_check" CHECK (id = 1)
);

CREATE TABLE "historySeals" (
  no integer NOT NULL,
  "toIdx" bigint NOT NULL,
  rows integer NOT NULL,
  "firstDT" timestamp with time zone NOT NULL,
  hashes bytea NOT NULL,
  "sealDT" timestamp with time zone NOT NULL,
  hash bytea NOT NULL,
  signature bytea NOT NULL,
  source text NOT NULL,
  "lastDT" timestamp with time zone NOT NULL,
  CONSTRAINT "historySeals_pkey" PRIMARY KEY (no),
  CONSTRAINT "historySeals_no_check" CHECK (no > 0),
  CONSTRAINT "historySeals_source_check" CHECK (source = ANY (ARRAY['history'::text, 'signIns'::text, 'signOuts'::text]))
);
CREATE TRIGGER "historySealsAppendOnly" BEFORE DELETE OR UPDATE ON "historySeals" FOR EACH ROW EXECUTE FUNCTION "refuseChange"();
CREATE TRIGGER "historySealsKept" BEFORE TRUNCATE ON "historySeals" FOR EACH STATEMENT EXECUTE FUNCTION "refuseChange"();

CREATE TABLE "jobRuns" (
  name text NOT NULL,
  "completeDT" timestamp(3) with time zone,
  "failDT" timestamp(3) with time zone,
  CONSTRAINT "jobRuns_pkey" PRIMARY KEY (name)
);

CREATE TABLE "mailTests" (
  "sessionIdx" bigint NOT NULL,
  fields bytea NOT NULL,
  "testDT" timestamp with time zone NOT NULL,
  CONSTRAINT "mailTests_pkey" PRIMARY KEY ("sessionIdx"),
  CONSTRAINT "mailTests_sessionIdx_fkey" FOREIGN KEY ("sessionIdx") REFERENCES sessions(idx) ON DELETE CASCADE
);

CREATE TABLE mails (
  idx bigint NOT NULL GENERATED BY DEFAULT AS IDENTITY,
  receiver text NOT NULL,
  subject text NOT NULL,
  body bytea,
  state smallint NOT NULL DEFAULT 0,
  tries integer NOT NULL DEFAULT 0,
  "createDT" timestamp with time zone NOT NULL,
  "nextTryDT" timestamp with time zone,
  "sentDT" timestamp with time zone,
  "lastError" text,
  "isInOutbox" smallint NOT NULL DEFAULT 0,
  CONSTRAINT mails_pkey PRIMARY KEY (idx),
  CONSTRAINT "mails_isInOutbox_check" CHECK ("isInOutbox" = ANY (ARRAY[0, 1])),
  CONSTRAINT mails_state_check CHECK (state >= 0 AND state <= 2)
);
CREATE INDEX "mailsFailed" ON mails USING btree ("createDT") WHERE state = 2;
CREATE INDEX "mailsWaiting" ON mails USING btree ("nextTryDT") WHERE state = 0;

CREATE TABLE "networkBlockBatches" (
  "userIdx" bigint NOT NULL,
  "batchId" uuid NOT NULL,
  "receiveDT" timestamp with time zone NOT NULL,
  "deviceIdx" bigint,
  accepted integer NOT NULL DEFAULT 0,
  CONSTRAINT "networkBlockBatches_pkey" PRIMARY KEY ("userIdx", "batchId"),
  CONSTRAINT "networkBlockBatches_deviceIdx_fkey" FOREIGN KEY ("deviceIdx") REFERENCES devices(idx) ON DELETE SET NULL,
  CONSTRAINT "networkBlockBatches_userIdx_fkey" FOREIGN KEY ("userIdx") REFERENCES users(idx) ON DELETE CASCADE
);
CREATE INDEX "networkBlockBatchesDevice" ON "networkBlockBatches" USING btree ("deviceIdx", "receiveDT");
CREATE INDEX "networkBlockBatchesReceive" ON "networkBlockBatches" USING btree ("receiveDT");

CREATE TABLE nodes (
  id uuid NOT NULL,
  name text NOT NULL,
  version text NOT NULL,
  "startDT" timestamp with time zone NOT NULL,
  "seenDT" timestamp with time zone NOT NULL,
  memory bigint NOT NULL,
  "clockOffset" integer NOT NULL,
  keys text[] NOT NULL DEFAULT '{}'::text[],
  "sealsWith" text NOT NULL DEFAULT ''::text,
  CONSTRAINT nodes_pkey PRIMARY KEY (id)
);

CREATE TABLE "otpCodes" (
  "userIdx" bigint NOT NULL,
  purpose text NOT NULL,
  "codeHash" bytea NOT NULL,
  tries integer NOT NULL DEFAULT 0,
  "sendDT" timestamp with time zone NOT NULL,
  "expireDT" timestamp with time zone NOT NULL,
  CONSTRAINT "otpCodes_pkey" PRIMARY KEY ("userIdx", purpose),
  CONSTRAINT "otpCodes_userIdx_fkey" FOREIGN KEY ("userIdx") REFERENCES users(idx) ON DELETE CASCADE,
  CONSTRAINT "otpCodes_purpose_check" CHECK (purpose = ANY (ARRAY['login'::text, 'clientLogin'::text, 'changePw'::text, 'findPw'::text, 'findId'::text]))
);

CREATE TABLE "personNotices" (
  "userIdx" bigint NOT NULL,
  choice smallint,
  "timeZone" text,
  "seenNo" bigint NOT NULL DEFAULT 0,
  "nextDT" timestamp with time zone,
  "requesterDT" timestamp with time zone,
  "mailDay" date,
  "mailCount" integer NOT NULL DEFAULT 0,
  "exportGroups" bigint[] NOT NULL DEFAULT '{}'::bigint[],
  "importGroups" bigint[] NOT NULL DEFAULT '{}'::bigint[],
  CONSTRAINT "personNotices_pkey" PRIMARY KEY ("userIdx"),
  CONSTRAINT "personNotices_userIdx_fkey" FOREIGN KEY ("userIdx") REFERENCES users(idx) ON DELETE CASCADE,
  CONSTRAINT "personNotices_choice_check" CHECK (choice = ANY (ARRAY[0, 1, 2, 3]))
);

CREATE TABLE policies (
  idx bigint NOT NULL GENERATED BY DEFAULT AS IDENTITY,
  "groupIdx" bigint,
  "userIdx" bigint,
  clipboard smallint NOT NULL,
  "fileExport" smallint NOT NULL,
  uninstall smallint NOT NULL,
  network smallint NOT NULL,
  "localNetwork" smallint NOT NULL,
  loopback smallint NOT NULL,
  "screenCapture" smallint NOT NULL,
  "externalStorage" smallint NOT NULL,
  print smallint NOT NULL,
  "vmExecution" smallint NOT NULL,
  "rdpExecution" smallint NOT NULL,
  "processExecution" smallint NOT NULL,
  "dllInjection" smallint NOT NULL,
  encryption smallint NOT NULL,
  "encryptionDefaultCapacity" integer NOT NULL,
  "encryptionMaxCapacity" integer NOT NULL,
  offline smallint NOT NULL,
  "offlineDays" smallint NOT NULL,
  revision integer NOT NULL DEFAULT 1,
  "fileExportSetBy" bigint,
  "endDT" timestamp with time zone,
  "endReason" text,
  "endSetBy" bigint,
  "endMailed" smallint,
  "urgentExport" smallint NOT NULL DEFAULT 0,
  "urgentReviewHours" smallint NOT NULL DEFAULT 24,
  "urgentExportSetBy" bigint,
  "downloadCount" smallint NOT NULL DEFAULT 0,
  "downloadDays" smallint NOT NULL DEFAULT 0,
  CONSTRAINT policies_pkey PRIMARY KEY (idx),
  CONSTRAINT "policies_fileExportSetBy_fkey" FOREIGN KEY ("fileExportSetBy") REFERENCES users(idx) ON DELETE SET NULL,
  CONSTRAINT "policies_groupIdx_fkey" FOREIGN KEY ("groupIdx") REFERENCES groups(idx) ON DELETE CASCADE,
  CONSTRAINT "policies_urgentExportSetBy_fkey" FOREIGN KEY ("urgentExportSetBy") REFERENCES users(idx) ON DELETE SET NULL,
  CONSTRAINT "policies_userIdx_fkey" FOREIGN KEY ("userIdx") REFERENCES users(idx) ON DELETE CASCADE,
  CONSTRAINT policies_check CHECK (num_nonnulls("groupIdx", "userIdx") = 1),
  CONSTRAINT policies_check1 CHECK ("encryptionDefaultCapacity" <= "encryptionMaxCapacity"),
  CONSTRAINT "policies_downloadCount_check" CHECK ("downloadCount" >= 0 AND "downloadCount" <= 100),
  CONSTRAINT "policies_downloadDays_check" CHECK ("downloadDays" >= 0 AND "downloadDays" <= 365),
  CONSTRAINT "policies_urgentExport_check" CHECK ("urgentExport" = ANY (ARRAY[0, 1])),
  CONSTRAINT "policies_urgentReviewHours_check" CHECK ("urgentReviewHours" >= 1 AND "urgentReviewHours" <= 72)
);
CREATE INDEX "policiesEnd" ON policies USING btree ("endDT") WHERE "endDT" IS NOT NULL;
CREATE INDEX "policiesFileExportSetBy" ON policies USING btree ("fileExportSetBy");
CREATE UNIQUE INDEX "policiesGroup" ON policies USING btree ("groupIdx");
CREATE INDEX "policiesUrgentExportSetBy" ON policies USING btree ("urgentExportSetBy");
CREATE UNIQUE INDEX "policiesUser" ON policies USING btree ("userIdx");

CREATE TABLE "policyApprovalSteps" (
  "policyIdx" bigint NOT NULL,
  type smallint NOT NULL,
  step smallint NOT NULL,
  "authorityIdx" bigint NOT NULL,
  CONSTRAINT "policyApprovalSteps_pkey" PRIMARY KEY ("policyIdx", type, step),
  CONSTRAINT "policyApprovalStepsAuthority" FOREIGN KEY ("authorityIdx") REFERENCES authorities(idx),
  CONSTRAINT "policyApprovalSteps_policyIdx_fkey" FOREIGN KEY ("policyIdx") REFERENCES policies(idx) ON DELETE CASCADE,
  CONSTRAINT "policyApprovalSteps_step_check" CHECK (step = ANY (ARRAY[2, 3])),
  CONSTRAINT "policyApprovalSteps_type_check" CHECK (type = ANY (ARRAY[0, 1]))
);
CREATE INDEX "policyApprovalStepsAuthority" ON "policyApprovalSteps" USING btree ("authorityIdx");

CREATE TABLE "policyLoopbackExceptions" (
  "policyIdx" bigint NOT NULL,
  idx bigint NOT NULL GENERATED BY DEFAULT AS IDENTITY,
  description text NOT NULL,
  "processName" text NOT NULL,
  CONSTRAINT "policyLoopbackExceptions_pkey" PRIMARY KEY ("policyIdx", idx),
  CONSTRAINT "policyLoopbackExceptions_policyIdx_fkey" FOREIGN KEY ("policyIdx") REFERENCES policies(idx) ON DELETE CASCADE
);

CREATE TABLE "policyNetworkExceptions" (
  "policyIdx" bigint NOT NULL,
  idx bigint NOT NULL GENERATED BY DEFAULT AS IDENTITY,
  "isLocal" smallint NOT NULL,
  description text NOT NULL,
  type smallint NOT NULL,
  ip1 text NOT NULL,
  ip2 text NOT NULL,
  port integer NOT NULL,
  access smallint NOT NULL,
  "endDT" timestamp with time zone,
  "endReason" text,
  "endSetBy" bigint,
  "endMailed" smallint,
  CONSTRAINT "policyNetworkExceptions_pkey" PRIMARY KEY ("policyIdx", idx),
  CONSTRAINT "policyNetworkExceptions_policyIdx_fkey" FOREIGN KEY ("policyIdx") REFERENCES policies(idx) ON DELETE CASCADE,
  CONSTRAINT "policyNetworkExceptions_access_check" CHECK (access = ANY (ARRAY[0, 1])),
  CONSTRAINT "policyNetworkExceptions_isLocal_check" CHECK ("isLocal" = ANY (ARRAY[0, 1])),
  CONSTRAINT "policyNetworkExceptions_port_check" CHECK (port >= 0 AND port <= 65535),
  CONSTRAINT "policyNetworkExceptions_type_check" CHECK (type = ANY (ARRAY[0, 1, 2]))
);
CREATE INDEX "policyNetworkExceptionsEnd" ON "policyNetworkExceptions" USING btree ("endDT") WHERE "endDT" IS NOT NULL;

CREATE TABLE "policyShortcuts" (
  "policyIdx" bigint NOT NULL,
  "shortcutIdx" bigint NOT NULL,
  CONSTRAINT "policyShortcuts_pkey" PRIMARY KEY ("policyIdx", "shortcutIdx"),
  CONSTRAINT "policyShortcutsPolicy" FOREIGN KEY ("policyIdx") REFERENCES policies(idx) ON DELETE CASCADE,
  CONSTRAINT "policyShortcutsShortcut" FOREIGN KEY ("shortcutIdx") REFERENCES shortcuts(idx) ON DELETE CASCADE
);
CREATE INDEX "policyShortcutsShortcut" ON "policyShortcuts" USING btree ("shortcutIdx");

CREATE TABLE "requestDecisions" (
  "fileEximportIdx" bigint NOT NULL,
  step smallint NOT NULL,
  decision smallint NOT NULL,
  "deciderIdx" bigint,
  "deciderId" text NOT NULL,
  "deciderName" text NOT NULL,
  "forIdx" bigint,
  "forName" text,
  reason text NOT NULL,
  "decideDT" timestamp with time zone NOT NULL,
  CONSTRAINT "requestDecisions_pkey" PRIMARY KEY ("fileEximportIdx", step),
  CONSTRAINT "requestDecisionsDecider" FOREIGN KEY ("deciderIdx") REFERENCES users(idx) ON DELETE SET NULL,
  CONSTRAINT "requestDecisionsFor" FOREIGN KEY ("forIdx") REFERENCES users(idx) ON DELETE SET NULL,
  CONSTRAINT "requestDecisions_fileEximportIdx_fkey" FOREIGN KEY ("fileEximportIdx") REFERENCES "fileEximports"(idx) ON DELETE CASCADE,
  CONSTRAINT "requestDecisions_decision_check" CHECK (decision = ANY (ARRAY[0, 1])),
  CONSTRAINT "requestDecisions_step_check" CHECK (step >= 1 AND step <= 3)
);
CREATE INDEX "requestDecisionsDecider" ON "requestDecisions" USING btree ("deciderIdx");
CREATE INDEX "requestDecisionsFor" ON "requestDecisions" USING btree ("forIdx") WHERE "forIdx" IS NOT NULL;
CREATE INDEX "requestDecisionsLater" ON "requestDecisions" USING btree ("deciderIdx", "fileEximportIdx") WHERE step > 1;

CREATE TABLE "requestFiles" (
  idx bigint NOT NULL GENERATED BY DEFAULT AS IDENTITY,
  "fileEximportIdx" bigint NOT NULL,
  "position" integer NOT NULL,
  "fileName" text NOT NULL,
  "fileSize" bigint NOT NULL,
  sha256 text NOT NULL,
  "storeName" text NOT NULL,
  "wrappedKey" bytea NOT NULL,
  "isUploaded" smallint NOT NULL DEFAULT 0,
  downloads integer NOT NULL DEFAULT 0,
  CONSTRAINT "requestFiles_pkey" PRIMARY KEY (idx),
  CONSTRAINT "requestFiles_fileEximportIdx_position_key" UNIQUE ("fileEximportIdx", "position"),
  CONSTRAINT "requestFiles_storeName_key" UNIQUE ("storeName"),
  CONSTRAINT "requestFiles_fileEximportIdx_fkey" FOREIGN KEY ("fileEximportIdx") REFERENCES "fileEximports"(idx) ON DELETE CASCADE,
  CONSTRAINT "requestFiles_isUploaded_check" CHECK ("isUploaded" = ANY (ARRAY[0, 1]))
);
CREATE INDEX "requestFilesNamePairs" ON "requestFiles" USING gin (pairs("fileName"));
CREATE INDEX "requestFilesNameSearch" ON "requestFiles" USING gin (lower("fileName") gin_trgm_ops);

CREATE TABLE "requestSteps" (
  "fileEximportIdx" bigint NOT NULL,
  step smallint NOT NULL,
  "authorityIdx" bigint,
  "authorityName" text NOT NULL,
  CONSTRAINT "requestSteps_pkey" PRIMARY KEY ("fileEximportIdx", step),
  CONSTRAINT "requestStepsAuthority" FOREIGN KEY ("authorityIdx") REFERENCES authorities(idx) ON DELETE SET NULL,
  CONSTRAINT "requestSteps_fileEximportIdx_fkey" FOREIGN KEY ("fileEximportIdx") REFERENCES "fileEximports"(idx) ON DELETE CASCADE,
  CONSTRAINT "requestSteps_step_check" CHECK (step = ANY (ARRAY[2, 3]))
);
CREATE INDEX "requestStepsAuthority" ON "requestSteps" USING btree ("authorityIdx");

CREATE TABLE "requesterNotices" (
  idx bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  "fileEximportIdx" bigint NOT NULL,
  "userIdx" bigint NOT NULL,
  event smallint NOT NULL,
  "createDT" timestamp with time zone NOT NULL,
  "sentDT" timestamp with time zone,
  CONSTRAINT "requesterNotices_pkey" PRIMARY KEY (idx),
  CONSTRAINT "requesterNotices_fileEximportIdx_event_key" UNIQUE ("fileEximportIdx", event),
  CONSTRAINT "requesterNotices_fileEximportIdx_fkey" FOREIGN KEY ("fileEximportIdx") REFERENCES "fileEximports"(idx) ON DELETE CASCADE,
  CONSTRAINT "requesterNotices_userIdx_fkey" FOREIGN KEY ("userIdx") REFERENCES users(idx) ON DELETE CASCADE,
  CONSTRAINT "requesterNotices_event_check" CHECK (event >= 0 AND event <= 8) NOT VALID
);
CREATE INDEX "requesterNoticesPending" ON "requesterNotices" USING btree ("userIdx") WHERE "sentDT" IS NULL;
CREATE INDEX "requesterNoticesUser" ON "requesterNotices" USING btree ("userIdx");

CREATE TABLE sessions (
  idx bigint NOT NULL GENERATED BY DEFAULT AS IDENTITY,
  "tokenHash" bytea NOT NULL,
  kind text NOT NULL,
  "userIdx" bigint NOT NULL,
  "deviceIdx" bigint,
  "signInIdx" bigint NOT NULL,
  "signInDT" timestamp with time zone NOT NULL,
  ip text NOT NULL,
  "userAgent" text NOT NULL,
  "createDT" timestamp with time zone NOT NULL,
  "lastSeenDT" timestamp with time zone NOT NULL,
  "expireDT" timestamp with time zone NOT NULL,
  "endDT" timestamp with time zone,
  "endReason" text,
  "limitDT" timestamp with time zone NOT NULL,
  ancestors bigint[] NOT NULL DEFAULT '{}'::bigint[],
  "providerLogout" bytea,
  CONSTRAINT sessions_pkey PRIMARY KEY (idx),
  CONSTRAINT "sessions_tokenHash_key" UNIQUE ("tokenHash"),
  CONSTRAINT "sessions_deviceIdx_fkey" FOREIGN KEY ("deviceIdx") REFERENCES devices(idx) ON DELETE SET NULL,
  CONSTRAINT "sessions_userIdx_fkey" FOREIGN KEY ("userIdx") REFERENCES users(idx) ON DELETE CASCADE,
  CONSTRAINT "sessions_endReason_check" CHECK ("endReason" = ANY (ARRAY['signedOut'::text, 'expired'::text, 'ended'::text])),
  CONSTRAINT sessions_kind_check CHECK (kind = ANY (ARRAY['web'::text, 'client'::text]))
);
CREATE INDEX "sessionsAncestors" ON sessions USING gin (ancestors) WHERE "endDT" IS NULL AND ancestors <> '{}'::bigint[];
CREATE INDEX "sessionsDevice" ON sessions USING btree ("deviceIdx");
CREATE INDEX "sessionsEnd" ON sessions USING btree ("endDT");
CREATE INDEX "sessionsExpire" ON sessions USING btree ("expireDT") WHERE "endDT" IS NULL;
CREATE INDEX "sessionsUser" ON sessions USING btree ("userIdx") WHERE "endDT" IS NULL;

CREATE TABLE settings (
  name text NOT NULL,
  value jsonb NOT NULL,
  revision integer NOT NULL DEFAULT 1,
  CONSTRAINT settings_pkey PRIMARY KEY (name)
);

CREATE TABLE shortcuts (
  idx bigint NOT NULL GENERATED BY DEFAULT AS IDENTITY,
  kind smallint NOT NULL,
  name text NOT NULL,
  target text NOT NULL,
  "targetKey" text NOT NULL,
  "iconName" text,
  "iconData" bytea,
  "iconDigest" text DEFAULT md5("iconData"),
  CONSTRAINT shortcuts_pkey PRIMARY KEY (idx),
  CONSTRAINT shortcuts_check CHECK (("iconName" IS NULL) = ("iconData" IS NULL)),
  CONSTRAINT shortcuts_kind_check CHECK (kind = ANY (ARRAY[0, 1]))
);
CREATE UNIQUE INDEX "shortcutsTarget" ON shortcuts USING btree (kind, "targetKey");

CREATE TABLE "signIns" (
  idx bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  kind text NOT NULL,
  "loginDT" timestamp with time zone NOT NULL,
  "logoutDT" timestamp with time zone,
  "userIdx" bigint,
  "userId" text NOT NULL,
  "userName" text NOT NULL,
  "userGroupName" text NOT NULL,
  "groupIdx" bigint,
  ip text NOT NULL,
  "userRole" smallint NOT NULL,
  type smallint NOT NULL,
  "logoutType" smallint,
  "clientVersion" text NOT NULL DEFAULT ''::text,
  "deviceName" text NOT NULL DEFAULT ''::text,
  "endNo" bigint,
  CONSTRAINT "signIns_pkey" PRIMARY KEY (idx, "loginDT"),
  CONSTRAINT "signIns_kind_check" CHECK (kind = ANY (ARRAY['web'::text, 'client'::text]))
) PARTITION BY RANGE ("loginDT");
CREATE INDEX "signInsEnds" ON "signIns" USING btree ("endNo") WHERE "endNo" IS NOT NULL;
CREATE INDEX "signInsFailed" ON "signIns" USING btree (kind, type, idx DESC) WHERE type <> 0;
CREATE INDEX "signInsGroup" ON "signIns" USING btree ("groupIdx", kind, "loginDT" DESC) INCLUDE (type);
CREATE INDEX "signInsGroupPairs" ON "signIns" USING gin (pairs("userGroupName"));
CREATE INDEX "signInsGroupSearch" ON "signIns" USING gin (lower("userGroupName") gin_trgm_ops);
CREATE INDEX "signInsIdSearch" ON "signIns" USING gin (lower("userId") gin_trgm_ops);
CREATE INDEX "signInsIdx" ON "signIns" USING btree (kind, idx DESC);
CREATE INDEX "signInsIpSearch" ON "signIns" USING gin (lower(ip) gin_trgm_ops);
CREATE INDEX "signInsNamePairs" ON "signIns" USING gin (pairs("userName"));
CREATE INDEX "signInsNameSearch" ON "signIns" USING gin (lower("userName") gin_trgm_ops);
CREATE INDEX "signInsOrder" ON "signIns" USING btree (kind, "loginDT" DESC, idx DESC) INCLUDE (type, "groupIdx");
CREATE TRIGGER "signInsAppendOnly" BEFORE DELETE ON "signIns" FOR EACH ROW EXECUTE FUNCTION "refuseChange"();
CREATE TRIGGER "signInsKept" BEFORE TRUNCATE ON "signIns" FOR EACH STATEMENT EXECUTE FUNCTION "refuseChange"();
CREATE TRIGGER "signInsNumberEnd" BEFORE UPDATE OF "logoutDT" ON "signIns" FOR EACH ROW WHEN (old."logoutDT" IS NULL AND new."logoutDT" IS NOT NULL) EXECUTE FUNCTION "numberSignInEnd"();

CREATE TABLE "statusSamples" (
  "sampleDT" timestamp with time zone NOT NULL,
  "filesFree" bigint,
  "databaseFree" bigint,
  "mailsWaiting" integer NOT NULL,
  "jobsWaiting" integer NOT NULL,
  connections integer NOT NULL,
  CONSTRAINT "statusSamples_pkey" PRIMARY KEY ("sampleDT")
);

CREATE TABLE throttles (
  key text NOT NULL,
  count integer NOT NULL,
  "windowEndDT" timestamp with time zone NOT NULL,
  CONSTRAINT throttles_pkey PRIMARY KEY (key)
);

CREATE TABLE "tmpTokens" (
  "tokenHash" bytea NOT NULL,
  "userIdx" bigint NOT NULL,
  "fromClient" smallint NOT NULL,
  "expireDT" timestamp with time zone NOT NULL,
  "sessionIdx" bigint NOT NULL,
  purpose text NOT NULL,
  CONSTRAINT "tmpTokens_pkey" PRIMARY KEY ("tokenHash"),
  CONSTRAINT "tmpTokens_sessionIdx_fkey" FOREIGN KEY ("sessionIdx") REFERENCES sessions(idx) ON DELETE CASCADE,
  CONSTRAINT "tmpTokens_userIdx_fkey" FOREIGN KEY ("userIdx") REFERENCES users(idx) ON DELETE CASCADE,
  CONSTRAINT "tmpTokens_purpose_check" CHECK (purpose = ANY (ARRAY['portal'::text, 'dms'::text]))
);
CREATE INDEX "tmpTokensSession" ON "tmpTokens" USING btree ("sessionIdx");

CREATE TABLE "userImportRows" (
  idx bigint NOT NULL GENERATED BY DEFAULT AS IDENTITY,
  "importIdx" bigint NOT NULL,
  line integer,
  action smallint NOT NULL DEFAULT 0,
  result smallint NOT NULL DEFAULT 0,
  key text,
  id text,
  name text,
  email text,
  "group" text,
  "groupIdx" bigint,
  "expireDT" text,
  "isEnabled" smallint,
  "userIdx" bigint,
  "userRevision" integer,
  changes jsonb NOT NULL DEFAULT '[]'::jsonb,
  faults jsonb NOT NULL DEFAULT '[]'::jsonb,
  chain integer NOT NULL DEFAULT 0,
  "needsPassword" smallint NOT NULL DEFAULT 0,
  CONSTRAINT "userImportRows_pkey" PRIMARY KEY (idx),
  CONSTRAINT "userImportRows_importIdx_fkey" FOREIGN KEY ("importIdx") REFERENCES "userImports"(idx) ON DELETE CASCADE
);
CREATE INDEX "userImportRowsAction" ON "userImportRows" USING btree ("importIdx", action, idx);
CREATE INDEX "userImportRowsPassword" ON "userImportRows" USING btree (idx) WHERE "needsPassword" = 1;
CREATE INDEX "userImportRowsWaiting" ON "userImportRows" USING btree ("importIdx", result, chain, idx);

CREATE TABLE "userImports" (
  idx bigint NOT NULL GENERATED BY DEFAULT AS IDENTITY,
  source smallint NOT NULL,
  state smallint NOT NULL DEFAULT 0,
  "authorIdx" bigint,
  "authorId" text NOT NULL DEFAULT ''::text,
  "authorName" text NOT NULL DEFAULT ''::text,
  "authorGroupName" text NOT NULL DEFAULT ''::text,
  ip text NOT NULL DEFAULT ''::text,
  "fileName" text NOT NULL,
  hash text NOT NULL DEFAULT ''::text,
  options jsonb NOT NULL,
  fields text[] NOT NULL DEFAULT '{}'::text[],
  "baseGroupIdx" bigint,
  "doneRows" integer NOT NULL DEFAULT 0,
  "totalRows" integer,
  counts jsonb NOT NULL DEFAULT '{}'::jsonb,
  brake jsonb,
  refusal jsonb,
  groups jsonb NOT NULL DEFAULT '[]'::jsonb,
  "startDT" timestamp with time zone NOT NULL,
  "activeDT" timestamp with time zone NOT NULL,
  "endDT" timestamp with time zone,
  CONSTRAINT "userImports_pkey" PRIMARY KEY (idx),
  CONSTRAINT "userImports_authorIdx_fkey" FOREIGN KEY ("authorIdx") REFERENCES users(idx) ON DELETE SET NULL,
  CONSTRAINT "userImports_baseGroupIdx_fkey" FOREIGN KEY ("baseGroupIdx") REFERENCES groups(idx) ON DELETE SET NULL
);
CREATE INDEX "userImportsAuthor" ON "userImports" USING btree ("authorIdx", idx);
CREATE UNIQUE INDEX "userImportsOpenSync" ON "userImports" USING btree (source) WHERE state < 4 AND source > 0;
CREATE UNIQUE INDEX "userImportsOpenUpload" ON "userImports" USING btree ("authorIdx") WHERE state < 4 AND source = 0;

CREATE TABLE users (
  idx bigint NOT NULL GENERATED BY DEFAULT AS IDENTITY,
  id text NOT NULL,
  name text NOT NULL,
  email text NOT NULL,
  "groupIdx" bigint NOT NULL,
  key text NOT NULL,
  "isAdmin" smallint NOT NULL DEFAULT 0,
  "loginType" smallint NOT NULL DEFAULT 1,
  state smallint NOT NULL DEFAULT 0,
  "isMortal" smallint NOT NULL DEFAULT 0,
  "expireDT" date,
  "useOtp" smallint,
  "otpSecret" bytea,
  "isSinglePC" smallint NOT NULL DEFAULT 0,
  "isMyPolicy" smallint NOT NULL DEFAULT 0,
  "pwHash" text,
  "pwSetDT" timestamp with time zone,
  "tmpPwHash" text,
  "tmpPwExpireDT" timestamp with time zone,
  "loginFails" integer NOT NULL DEFAULT 0,
  "otpFails" integer NOT NULL DEFAULT 0,
  "lastClientLoginDT" timestamp with time zone,
  "createDT" timestamp with time zone NOT NULL DEFAULT now(),
  revision integer NOT NULL DEFAULT 1,
  "otpStep" bigint,
  "otpPending" bytea,
  "otpPendingExpireDT" timestamp with time zone,
  "activeDT" timestamp with time zone NOT NULL DEFAULT now(),
  "importSource" smallint,
  "importSuspended" smallint NOT NULL DEFAULT 0,
  CONSTRAINT users_pkey PRIMARY KEY (idx),
  CONSTRAINT "usersGroup" FOREIGN KEY ("groupIdx") REFERENCES groups(idx),
  CONSTRAINT users_check CHECK ("isMortal" = 0 OR "expireDT" IS NOT NULL),
  CONSTRAINT "users_isAdmin_check" CHECK ("isAdmin" = ANY (ARRAY[0, 1])),
  CONSTRAINT "users_isMortal_check" CHECK ("isMortal" = ANY (ARRAY[0, 1])),
  CONSTRAINT "users_isMyPolicy_check" CHECK ("isMyPolicy" = ANY (ARRAY[0, 1])),
  CONSTRAINT "users_isSinglePC_check" CHECK ("isSinglePC" = ANY (ARRAY[0, 1])),
  CONSTRAINT "users_loginType_check" CHECK ("loginType" >= 0 AND "loginType" <= 3),
  CONSTRAINT users_state_check CHECK (state >= 0 AND state <= 3),
  CONSTRAINT "users_useOtp_check" CHECK ("useOtp" = ANY (ARRAY[0, 1]))
);
CREATE INDEX "usersActive" ON users USING btree ("activeDT");
CREATE INDEX "usersAdmins" ON users USING btree (idx) WHERE "isAdmin" = 1;
CREATE UNIQUE INDEX "usersEmail" ON users USING btree (lower(email));
CREATE INDEX "usersEmailSearch" ON users USING gin (lower(email) gin_trgm_ops);
CREATE INDEX "usersExpire" ON users USING btree ("expireDT", idx);
CREATE INDEX "usersGroupIdx" ON users USING btree ("groupIdx", idx);
CREATE UNIQUE INDEX "usersId" ON users USING btree (lower(id));
CREATE INDEX "usersIdSearch" ON users USING gin (lower(id) gin_trgm_ops);
CREATE INDEX "usersImportSource" ON users USING btree ("importSource") WHERE "importSource" IS NOT NULL;
CREATE UNIQUE INDEX "usersKey" ON users USING btree (lower(key));
CREATE INDEX "usersLastClientLogin" ON users USING btree (COALESCE("lastClientLoginDT", '-infinity'::timestamp with time zone), idx);
CREATE INDEX "usersNameOrder" ON users USING btree (name COLLATE people, idx);
CREATE INDEX "usersNamePairs" ON users USING gin (pairs(name));
CREATE INDEX "usersNameSearch" ON users USING gin (lower(name) gin_trgm_ops);
CREATE INDEX "usersState" ON users USING btree (state, idx);
CREATE TRIGGER "usersAdministrator" BEFORE INSERT ON users FOR EACH ROW WHEN (new."isAdmin" = 1) EXECUTE FUNCTION "refuseAdministrator"();
CREATE TRIGGER "usersEndAbsences" AFTER UPDATE OF state ON users FOR EACH ROW WHEN ((new.state::integer & 2) <> 0 AND new."loginFails" <= old."loginFails" AND new."otpFails" <= old."otpFails") EXECUTE FUNCTION "endAbsences"();

CREATE TABLE "waitingNotices" (
  "fileEximportIdx" bigint NOT NULL,
  "waitDT" timestamp with time zone NOT NULL,
  "announceNo" bigint NOT NULL,
  "remindNo" bigint,
  CONSTRAINT "waitingNotices_pkey" PRIMARY KEY ("fileEximportIdx")
);
CREATE INDEX "waitingNoticesAnnounce" ON "waitingNotices" USING btree ("announceNo");
CREATE INDEX "waitingNoticesRemind" ON "waitingNotices" USING btree ("remindNo") WHERE "remindNo" IS NOT NULL;
