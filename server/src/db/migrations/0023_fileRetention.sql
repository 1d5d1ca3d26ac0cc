-- When the last file of a request arrived; null for incomplete requests, and for those that were complete before this column.
alter table "fileEximports" add column "completeDT" timestamptz;
-- When the stored files of a decided request were removed; null while they are kept.
alter table "fileEximports" add column "filesRemovedDT" timestamptz;
-- Decided requests whose files are kept, by the moment since which they are.
create index "fileEximportsKept" on "fileEximports" (greatest("approveDT", "completeDT"))
  where "isFileUploaded" = 1 and state in (1, 2, 4) and "filesRemovedDT" is null;

-- 3: the files of a request are about to be removed.
alter table "requesterNotices" drop constraint "requesterNotices_event_check";
alter table "requesterNotices" add constraint "requesterNotices_event_check" check (event in (0, 1, 2, 3));
