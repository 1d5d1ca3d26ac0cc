-- The steps of a file request, which its detail in the history shows.
create index "historyRequest" on history ("subjectIdx") where kind in ('fileExport', 'fileImport');
