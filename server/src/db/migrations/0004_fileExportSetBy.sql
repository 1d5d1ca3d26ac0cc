-- Who gave a policy its value of file export: an export that somebody allowed themselves waits for approval. Null where
-- the value is older than this column, or the user is deleted.
alter table policies add column "fileExportSetBy" bigint references users on delete set null;
create index "policiesFileExportSetBy" on policies ("fileExportSetBy");
