-- The digest of an icon: the revision of a policy for clients follows its shortcuts without reading their icons.
alter table shortcuts add column "iconDigest" text generated always as (md5("iconData")) stored;
