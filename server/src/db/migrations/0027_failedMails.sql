-- The system status counts the failed mails of a day every few seconds. They are few beside the sent ones of a month.
create index "mailsFailed" on mails ("createDT") where state = 2;
